package io.weir.example.spring;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Has no limit of its own: the service that it calls has one. */
@RestController
class SmsController {
  private final SmsService service;

  SmsController(SmsService service) {
    this.service = service;
  }

  @PostMapping("/api/sms")
  ResponseEntity<?> send(@RequestParam(required = false) @Nullable String phone) {
    if (phone == null || phone.isBlank()) {
      return Mistake.response(HttpStatus.BAD_REQUEST, "the parameter phone is missing");
    }
    service.send(phone);
    return ResponseEntity.ok(new Answer("sms"));
  }
}
