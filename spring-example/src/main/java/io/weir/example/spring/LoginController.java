package io.weir.example.spring;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Signs in by a form or by JSON. Both share the limits of {@link LimitedLogin}. */
@RestController
class LoginController {
  /** The body of a login by JSON. */
  record Login(@Nullable String user, @Nullable String password) {}

  @PostMapping(path = "/api/login", consumes = MediaType.APPLICATION_FORM_URLENCODED_VALUE)
  @LimitedLogin
  ResponseEntity<Answer> byForm(
      @RequestParam(required = false) @Nullable String user,
      @RequestParam(required = false) @Nullable String password) {
    return answer(user, password);
  }

  @PostMapping(path = "/api/login", consumes = MediaType.APPLICATION_JSON_VALUE)
  @LimitedLogin
  ResponseEntity<Answer> byJson(@RequestBody Login login) {
    return answer(login.user(), login.password());
  }

  private static ResponseEntity<Answer> answer(@Nullable String user, @Nullable String password) {
    boolean isRight = Passwords.isRight(user, password);
    return ResponseEntity.status(isRight ? HttpStatus.OK : HttpStatus.UNAUTHORIZED)
        .body(new Answer("login"));
  }
}
