package io.weir.spring.page;

import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** A handler that is limited by user, and one that calls a limited bean. */
@RestController
class ProfileController {
  private final SmsService sms;

  ProfileController(SmsService sms) {
    this.sms = sms;
  }

  @GetMapping("/profile")
  @RateLimit(limit = 100, window = 60, by = By.USER)
  String profile() {
    return "mine";
  }

  @PostMapping("/sms")
  void send(@RequestParam String phone) {
    sms.send(phone);
  }
}
