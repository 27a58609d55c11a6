package io.weir.example.spring;

import io.weir.annotation.By;
import io.weir.annotation.Count;
import io.weir.annotation.RateLimit;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * Counts failures only, so a user who knows the password never notices the limit. It stops
 * guessing: once the failures are used up, even the right password is refused.
 */
@RestController
class LoginController {
  @PostMapping("/api/login")
  @RateLimit(
      limit = 5,
      window = 1,
      unit = ChronoUnit.MINUTES,
      by = {By.KEY, By.IP},
      key = "query:user",
      count = Count.FAILURES,
      name = "login-user")
  @RateLimit(
      limit = 20,
      window = 1,
      unit = ChronoUnit.MINUTES,
      count = Count.FAILURES,
      name = "login-ip")
  ResponseEntity<Answer> login(
      @RequestParam(required = false) @Nullable String user,
      @RequestParam(required = false) @Nullable String password) {
    boolean right = user != null && user.equals(password);
    return ResponseEntity.status(right ? HttpStatus.OK : HttpStatus.UNAUTHORIZED)
        .body(new Answer("login"));
  }
}
