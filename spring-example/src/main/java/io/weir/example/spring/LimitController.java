package io.weir.example.spring;

import io.weir.annotation.Algorithm;
import io.weir.annotation.By;
import io.weir.annotation.Mode;
import io.weir.annotation.RateLimit;
import io.weir.annotation.Tier;
import jakarta.servlet.http.HttpServletRequest;
import java.time.temporal.ChronoUnit;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Endpoints that show one kind of limit each. */
@RestController
@RequestMapping("/api")
class LimitController {
  @GetMapping("/hello")
  @RateLimit(limit = 10, window = 10, name = "hello")
  Answer hello() {
    return new Answer("hello");
  }

  /** Up to 12 requests per 10 s; the last two are marked SOFT. */
  @GetMapping("/search")
  @RateLimit(limit = 10, window = 10, mode = Mode.SOFT, exceedBy = 20, name = "search")
  MarkedAnswer search(HttpServletRequest request) {
    return MarkedAnswer.from("search", request);
  }

  /** Limited by API key; {@link PremiumTier} determines the callers with a higher limit. */
  @GetMapping("/items")
  @RateLimit(
      limit = 10,
      window = 1,
      unit = ChronoUnit.MINUTES,
      by = By.KEY,
      key = "header:X-Api-Key",
      tiers = @Tier(name = "premium", limit = 1000),
      name = "items-key")
  @RateLimit(limit = 2000, window = 1, unit = ChronoUnit.MINUTES, name = "items-ip")
  Answer items() {
    return new Answer("items");
  }

  /** Four requests per calendar month in Berlin: each takes 5 of 20 permits. */
  @GetMapping("/report")
  @RateLimit(
      limit = 20,
      window = 1,
      unit = ChronoUnit.MONTHS,
      zone = "Europe/Berlin",
      cost = 5,
      name = "report")
  Answer report() {
    return new Answer("report");
  }

  /** Purchases of up to 200 in total, of which 50 are refilled each day. */
  @PostMapping("/buy")
  @RateLimit(
      limit = 200,
      refill = 50,
      window = 1,
      unit = ChronoUnit.DAYS,
      algorithm = Algorithm.TOKEN_BUCKET,
      costFrom = "query:amount",
      name = "buy")
  Answer buy() {
    return new Answer("buy");
  }

  /** All or nothing: if one limit refuses a request, the other doesn't count it. */
  @GetMapping("/stacked")
  @RateLimit(limit = 10, window = 1, unit = ChronoUnit.MINUTES, name = "stacked-minute")
  @RateLimit(limit = 500, window = 1, unit = ChronoUnit.HOURS, name = "stacked-hour")
  Answer stacked() {
    return new Answer("stacked");
  }

  /** 100 requests per minute for all callers together. */
  @GetMapping("/exact")
  @RateLimit(
      limit = 100,
      window = 1,
      unit = ChronoUnit.MINUTES,
      by = By.ENDPOINT,
      algorithm = Algorithm.FIXED_WINDOW,
      name = "exact")
  Answer exact() {
    return new Answer("exact");
  }

  /** A limit that is hardly ever reached, to measure the cost of counting. */
  @GetMapping("/hot")
  @RateLimit(limit = 1_000_000, window = 1, unit = ChronoUnit.MINUTES, name = "hot")
  Answer hot() {
    return new Answer("hot");
  }

  /** A cluster may admit 50 more per minute, so that requests don't wait for its store. */
  @GetMapping("/ahead")
  @RateLimit(limit = 1000, window = 1, unit = ChronoUnit.MINUTES, overshoot = 5, name = "ahead")
  Answer ahead() {
    return new Answer("ahead");
  }

  /** 20 requests at once, then one per second. */
  @GetMapping("/bucket")
  @RateLimit(
      limit = 60,
      window = 1,
      unit = ChronoUnit.MINUTES,
      algorithm = Algorithm.TOKEN_BUCKET,
      burst = 20,
      name = "bucket")
  Answer bucket() {
    return new Answer("bucket");
  }

  /** Fails on purpose. {@link #broken(BrokenException)} makes the response. */
  @GetMapping("/broken")
  @RateLimit(limit = 10, window = 10, name = "broken")
  Answer broken() {
    throw new BrokenException();
  }

  /** The application's own response to its failure; it has the rate limit headers, too. */
  @ExceptionHandler
  @ResponseStatus(HttpStatus.INTERNAL_SERVER_ERROR)
  Answer broken(BrokenException broken) {
    return new Answer("broken");
  }

  /** Has no annotation: its limits are rules in a database, by the caller's plan. */
  @GetMapping("/plan")
  Answer plan() {
    return new Answer("plan");
  }

  @GetMapping("/free")
  Answer free() {
    return new Answer("free");
  }
}
