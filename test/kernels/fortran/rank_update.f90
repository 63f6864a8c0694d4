! C = beta C + alpha A A^T, lower triangle, with leading dimensions: zeros of A are skipped, and cases of beta told apart.
include 'kernel.f90'

module update
  use kernel
  implicit none

contains

  subroutine rank_update(n, m, alpha, a, lda, beta, c, ldc)
    integer, intent(in) :: n, m, lda, ldc
    real(real64), intent(in) :: alpha, beta, a(lda, *)
    real(real64), intent(inout) :: c(ldc, *)
    real(real64) :: scaled
    integer :: i, j, k
    do j = 1, n
      if (beta == 0) then
        do i = j, n
          c(i, j) = 0
        end do
      else if (beta /= 1) then
        do i = j, n
          c(i, j) = beta * c(i, j)
        end do
      end if
      do k = 1, m
        if (a(j, k) /= 0) then
          scaled = alpha * a(j, k)
          do i = j, n
            c(i, j) = c(i, j) + scaled * a(i, k)
          end do
        end if
      end do
    end do
  end subroutine
end module

program main
  use update
  implicit none
  real(real64), allocatable :: a(:, :), c(:, :)
  real(real64) :: start
  integer :: n, i, j
  n = argument_size()
  a = reshape([((datum(1, i, j) + 0.5d0, i = 1, n + 3), j = 1, n)], [n + 3, n])
  c = reshape([((datum(2, i, j), i = 1, n + 1), j = 1, n)], [n + 1, n])
  start = seconds()
  call rank_update(n, n, 0.75d0, a, n + 3, 0.5d0, c, n + 1)
  ! The last element that is tested is zero.
  if (n > 1) a(n, n) = 0
  call rank_update(n, n, 0.75d0, a, n + 3, 0d0, c, n + 1)
  call report(seconds() - start, reshape(c, [size(c)]))
end program
