package io.weir.example.spring;

import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;

/**
 * The JSON response to a request that can't be served.
 *
 * @param error what is wrong
 */
record Mistake(String error) {
  static ResponseEntity<Object> response(HttpStatus status, String error) {
    return ResponseEntity.status(status).body(new Mistake(error));
  }
}
