package io.weir.compat.stacks.spring.mvc;

import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/** Maps exceptions of the application. */
@RestControllerAdvice
class Errors {
  @ExceptionHandler
  ResponseEntity<String> expected(ExpectedException exception) {
    return ResponseEntity.status(500).body("mapped");
  }

  @ExceptionHandler
  ResponseEntity<String> unprocessable(UnprocessableException exception) {
    return ResponseEntity.status(422).body("unprocessable");
  }
}
