struct body {
  float x, y, vx, vy, mass;
};

void attract(int n, struct body *restrict b, const struct body *restrict from, float dt) {
  for (int i = 0; i < n; i++) {
    float ax = 0, ay = 0;
    for (int j = 0; j < n; j++) {
      if (j == i)
        continue;
      float dx = from[j].x - from[i].x, dy = from[j].y - from[i].y;
      float f = from[j].mass / (dx * dx + dy * dy + 0.01f);
      ax += f * dx;
      ay += f * dy;
    }
    b[i].vx += dt * ax;
    b[i].vy += dt * ay;
  }
}
