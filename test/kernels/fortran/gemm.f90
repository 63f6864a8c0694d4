! C = C + A B, with assumed-shape arrays: the caller's sizes and strides are known at run time only.
include 'kernel.f90'

module product
  use kernel
  implicit none

contains

  subroutine gemm(a, b, c)
    real(real64), intent(in) :: a(:, :), b(:, :)
    real(real64), intent(inout) :: c(:, :)
    integer :: i, j, k
    do i = 1, size(c, 1)
      do j = 1, size(c, 2)
        do k = 1, size(a, 2)
          c(i, j) = c(i, j) + a(i, k) * b(k, j)
        end do
      end do
    end do
  end subroutine
end module

program main
  use product
  implicit none
  real(real64), allocatable :: a(:, :), b(:, :), c(:, :)
  real(real64) :: start
  integer :: n, i, j
  n = argument_size()
  a = reshape([((datum(1, i, j), i = 1, n), j = 1, n)], [n, n])
  b = reshape([((datum(2, i, j), i = 1, n), j = 1, n)], [n, n])
  c = reshape([((datum(3, i, j), i = 1, n), j = 1, n)], [n, n])
  start = seconds()
  call gemm(a, b, c)
  call report(seconds() - start, reshape(c, [size(c)]))
end program
