//! Claims about blocking for one choice of parameters.

use super::Scope;
use super::drawing::Unwritable;
use super::items::{Captures, Exchange};
use super::moves::pattern_shape;
use crate::blocking::{Bracketed, Sought};
use crate::board::Shape;
use crate::codes;
use crate::fault::Fault;
use crate::instance::{Instance, Pattern};
use crate::syntax::{BlockingClaim, BlockingStatement, Context, PuzzleFile, Span};

impl PuzzleFile {
    /// What a claim about blocking looks for in one puzzle; `claim` and `instance` are of this file.
    ///
    /// # Errors
    /// A number in a pattern that has no value, steps that the board does not have, a context on a
    /// board whose positions are told up to shift.
    pub fn sought(&self, claim: &BlockingClaim, instance: &Instance) -> Result<Sought, Fault> {
        let scope = Scope {
            file: self,
            params: &instance.params,
            text: &self.text,
            in_file: true,
        };
        match &claim.statement {
            BlockingStatement::Lost { states, exactly } => Ok(Sought::States {
                states: scope.goal(states, Some(&instance.board))?,
                exactly: *exactly,
            }),
            BlockingStatement::Moves {
                name,
                contexts,
                effect,
            } => Ok(Sought::Moves {
                name: name.value.clone(),
                contexts: contexts
                    .iter()
                    .map(|context| scope.context(context, instance))
                    .collect::<Result<_, _>>()?,
                effect: *effect,
            }),
        }
    }
}

impl Scope<'_> {
    fn context(&self, context: &Context, instance: &Instance) -> Result<Bracketed, Fault> {
        let drawing = &context.drawing;
        if instance.board.shape == Shape::Span {
            let message = "positions up to shift do not tell which cells a move changes";
            return Err(Fault::new(codes::WRONG_PLACE, drawing.span, message)
                .help("search the endless row in a window: `line endless, spare 8`"));
        }
        let units = self.write_out(&drawing.rows).map_err(Unwritable::fault)?;
        let nobody = Exchange::nobody();
        let rows = self.left_side(&units, &nobody, &mut Captures::default())?;
        let steps = self.steps(&context.along, pattern_shape(&rows), drawing.span)?;
        let spans: Vec<Span> = units.iter().flatten().map(|unit| unit.span).collect();
        let inside = |mark: &Span| {
            let within = |&i: &usize| mark.start <= spans[i].start && spans[i].end <= mark.end;
            (0..spans.len()).filter(within).collect::<Vec<usize>>()
        };
        let marks: Vec<Vec<usize>> = context.marks.iter().map(inside).collect();
        if let Some(empty) = marks.iter().position(Vec::is_empty) {
            let message = "a bracket without cells";
            return Err(Fault::new(
                codes::WRONG_PLACE,
                context.marks[empty],
                message,
            ));
        }
        Ok(Bracketed {
            pattern: Pattern { rows, steps },
            marks,
            span: drawing.span,
        })
    }
}
