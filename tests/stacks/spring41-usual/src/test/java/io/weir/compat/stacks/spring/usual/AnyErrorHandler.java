package io.weir.compat.stacks.spring.usual;

import java.util.Map;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/** Answers every exception with the shop's own error. */
@RestControllerAdvice
class AnyErrorHandler {
  @ExceptionHandler(Exception.class)
  ResponseEntity<Map<String, String>> any(Exception exception) {
    return ResponseEntity.status(500).body(Map.of("error", "the shop is sorry"));
  }
}
