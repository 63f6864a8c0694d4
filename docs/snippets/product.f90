subroutine product(c, a, b)
  real(8), intent(inout) :: c(:, :)
  real(8), intent(in) :: a(:, :), b(:, :)
  integer :: i, j, k
  do i = 1, size(c, 1)
    do j = 1, size(c, 2)
      do k = 1, size(a, 2)
        c(i, j) = c(i, j) + a(i, k) * b(k, j)
      end do
    end do
  end do
end subroutine
