package io.weir.compat.servlet;

import io.weir.annotation.Algorithm;
import io.weir.annotation.By;
import io.weir.annotation.ClearOn;
import io.weir.annotation.Count;
import io.weir.annotation.Mode;
import io.weir.annotation.OnStoreFailure;
import io.weir.annotation.RateLimit;
import io.weir.annotation.Tier;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.temporal.ChronoUnit;

/** Servlets that differ in one member of their annotation; the first three have none but limits. */
final class Members {
  private Members() {}

  /** Answers each GET. */
  abstract static class Answering extends CountingServlet {
    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      answer(request, response);
    }
  }

  @RateLimit(limit = 1, window = 10)
  static final class One extends Answering {}

  @RateLimit(limit = 2, window = 10)
  static final class Two extends Answering {}

  @RateLimit(limit = 10, window = 10)
  static final class Ten extends Answering {}

  @RateLimit(limit = 1, window = 20)
  static final class Longer extends Answering {}

  @RateLimit(limit = 1, window = 10, unit = ChronoUnit.MINUTES)
  static final class InMinutes extends Answering {}

  @RateLimit(limit = 10, window = 10, algorithm = Algorithm.TOKEN_BUCKET, burst = 2)
  static final class Bursting extends Answering {}

  @RateLimit(limit = 10, window = 10, cost = 5)
  static final class Costly extends Answering {}

  @RateLimit(limit = 2, window = 10, count = Count.FAILURES)
  static final class Failing extends Answering {}

  static final class Cleared extends Answering {
    @Override
    @RateLimit(
        limit = 2,
        window = 10,
        by = By.KEY,
        key = "query:user",
        count = Count.FAILURES,
        clearOn = ClearOn.SUCCESS)
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      answer(request, response);
    }
  }

  @RateLimit(limit = 2, window = 10, by = By.KEY, key = "query:user", count = Count.FAILURES)
  static final class FailingByKey extends Answering {}

  @RateLimit(limit = 2, window = 10, count = Count.SUCCESSES)
  static final class Succeeding extends Answering {}

  @RateLimit(limit = 2, window = 10, algorithm = Algorithm.FIXED_WINDOW)
  static final class Fixed extends Answering {}

  @RateLimit(limit = 1, window = 10, algorithm = Algorithm.SLIDING_LOG)
  static final class Logged extends Answering {}

  @RateLimit(limit = 10, window = 10, algorithm = Algorithm.TOKEN_BUCKET)
  static final class Refilled extends Answering {}

  @RateLimit(limit = 10, window = 10, algorithm = Algorithm.LEAKY_BUCKET)
  static final class Leaking extends Answering {}

  @RateLimit(limit = 1, window = 10, by = By.ENDPOINT)
  static final class Everybody extends Answering {}

  @RateLimit(limit = 1, window = 10, by = By.USER)
  static final class ByUser extends Answering {}

  @RateLimit(limit = 1, window = 10, by = By.KEY, key = "header:X-Api-Key")
  static final class ByHeader extends Answering {}

  @RateLimit(limit = 1, window = 10, by = By.KEY, key = "cookie:session")
  static final class ByCookie extends Answering {}

  @RateLimit(
      limit = 1,
      window = 10,
      by = {By.KEY, By.IP},
      key = {"query:a", "query:b"})
  static final class ByQueryAndAddress extends Answering {}

  @RateLimit(limit = 10, window = 10, mode = Mode.SOFT)
  static final class Soft extends Answering {}

  @RateLimit(limit = 10, window = 10, mode = Mode.SOFT, exceedBy = 50)
  static final class Exceeding extends Answering {}

  @RateLimit(limit = 10, window = 10, mode = Mode.ELASTIC)
  static final class Elastic extends Answering {}

  @RateLimit(limit = 1, window = 10, tiers = @Tier(name = "gold", limit = 3))
  static final class Tiered extends Answering {}

  @RateLimit(
      limit = 2,
      window = 10,
      algorithm = Algorithm.TOKEN_BUCKET,
      refill = 2,
      tiers = @Tier(name = "gold", limit = 4))
  static final class TieredRefill extends Answering {}

  @RateLimit(
      limit = 2,
      window = 10,
      algorithm = Algorithm.TOKEN_BUCKET,
      refill = 2,
      tiers = @Tier(name = "gold", limit = 4, refill = 1))
  static final class TieredOwnRefill extends Answering {}

  @RateLimit(limit = 10, window = 10, overshoot = 25)
  static final class Ahead extends Answering {}

  @RateLimit(limit = 1, window = 10, onStoreFailure = OnStoreFailure.CLOSED)
  static final class Closed extends Answering {}

  @RateLimit(limit = 1, window = 10, shadow = true)
  static final class Watching extends Answering {}

  @RateLimit(limit = 1, window = 10, name = "own-name")
  static final class Named extends Answering {}

  @RateLimit(limit = 2, window = 10)
  @RateLimit(limit = 3, window = 60, name = "longer")
  static final class Repeated extends Answering {}
}
