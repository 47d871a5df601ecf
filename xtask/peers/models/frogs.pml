/* Frogs and toads, both ways, for spin: `spin -a -DN=5 frogs.pml`, then a C compiler with
   -DBFS -DSAFETY. N is given by the benchmark. */
#define LAST (2 * N)

byte at[2 * N + 1];  /* 0 blank, 1 frog, 2 toad */
byte hole;

init {
  d_step {
    byte c = 0;
    do
    :: c < N -> at[c] = 1; c++
    :: c > N && c <= LAST -> at[c] = 2; c++
    :: c == N -> c++
    :: c > LAST -> break
    od;
    c = 0;
    hole = N;
  }
  do
  :: d_step { hole >= 1 -> at[hole] = at[hole - 1]; at[hole - 1] = 0; hole = hole - 1 }
  :: d_step { hole < LAST -> at[hole] = at[hole + 1]; at[hole + 1] = 0; hole = hole + 1 }
  :: d_step { hole >= 2 && at[hole - 1] != at[hole - 2] ->
       at[hole] = at[hole - 2]; at[hole - 2] = 0; hole = hole - 2 }
  :: d_step { hole + 2 <= LAST && at[hole + 1] != at[hole + 2] ->
       at[hole] = at[hole + 2]; at[hole + 2] = 0; hole = hole + 2 }
  od
}
