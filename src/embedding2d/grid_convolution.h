// embedding2d/grid_convolution.h: every cell of a square grid gets the sum of what all cells hold,
// weighted by a function of the distance, by Fourier transforms.
//
// The grid is padded with zeros to twice its side, so nothing comes around the edges. Its two
// halves of columns are real and imaginary part of one transform over the rows; their spectra are
// separated, transformed over the columns, multiplied, and taken back the same way. Transforms run
// over 16 rows or columns at a time (kernels::fft).
#pragma once
#include <vector>

#include "base/function_ref.h"
#include "kernels/fft.h"
#include "tensor/matrix.h"

namespace scrl {

class GridConvolution {
 public:
  // For grids of side() >= `at_least` cells. out(a,b) = sum_cd w(|a-c|, |b-d|) in(c,d), then
  // divided, in the spectrum, by divisor(u) divisor(v) at the angles u, v from 0 to pi.
  // w must be symmetric: w(r,s) = w(s,r).
  GridConvolution(Index at_least, FunctionRef<double(Index, Index)> w,
                  FunctionRef<double(double)> divisor);

  Index side() const { return side_; }  // rows of the grid; it has columns() >= side() columns
  Index columns() const { return columns_; }

  // In place: side() rows of columns() floats. The same bits for any number of threads.
  // REQUIRES: columns beyond side() are zero; afterwards they hold nothing of use.
  void run(Matrix& grid);

 private:
  using Numbers = std::vector<float, AlignedAllocator<float>>;
  void over_rows(Matrix& grid);
  void over_columns();
  void back_over_rows(Matrix& grid);

  kernels::FftPlan plan_;
  Index side_, columns_, frequencies_;  // frequencies: those that are kept, a multiple of kLane
  Numbers multiplier_;                  // [block of frequencies][number][lane]
  Matrix re_, im_;                      // frequencies x columns
};

}  // namespace scrl
