-- Frogs and toads, both ways, for rumur: `rumur --output frogs.c frogs.m`, then a C compiler.
-- N is replaced by the benchmark.
const
  N: 5;
  LAST: 2 * N;

type
  cell: 0 .. LAST;
  content: enum { blank, frog, toad };

var
  at: array [cell] of content;
  hole: cell;

function other(c: content): content;
begin
  if c = frog then
    return toad;
  else
    return frog;
  end;
end;

startstate begin
  for c: cell do
    if c < N then
      at[c] := frog;
    elsif c = N then
      at[c] := blank;
    else
      at[c] := toad;
    end;
  end;
  hole := N;
end;

ruleset c: cell do
  rule "step"
    c + 1 = hole | c = hole + 1
  ==> begin
    at[hole] := at[c];
    at[c] := blank;
    hole := c;
  end;

  rule "jump"
    (c + 2 = hole & at[c + 1] = other(at[c])) | (c = hole + 2 & at[c - 1] = other(at[c]))
  ==> begin
    at[hole] := at[c];
    at[c] := blank;
    hole := c;
  end;
end;

invariant "enumerated" true;
