package io.weir.example.spring;

import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import java.time.temporal.ChronoUnit;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Two limits: by address, before Spring Security signs in, and by user, after it. */
@RestController
class ProfileController {
  @GetMapping("/api/profile")
  @RateLimit(limit = 20, window = 1, unit = ChronoUnit.MINUTES, by = By.USER, name = "profile-user")
  @RateLimit(limit = 60, window = 1, unit = ChronoUnit.MINUTES, by = By.IP, name = "profile-ip")
  Answer profile() {
    return new Answer("profile");
  }
}
