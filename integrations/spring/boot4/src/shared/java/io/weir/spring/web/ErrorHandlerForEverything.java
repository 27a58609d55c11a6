package io.weir.spring.web;

import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;

/** Answers every exception by 500, as many applications do. */
@ControllerAdvice
class ErrorHandlerForEverything {
  @ExceptionHandler(Exception.class)
  ResponseEntity<String> all(Exception thrown) {
    return ResponseEntity.status(500).body("everything: " + thrown.getClass().getSimpleName());
  }
}
