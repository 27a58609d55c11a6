package io.weir.example.spring;

import io.weir.Decision;
import jakarta.servlet.http.HttpServletRequest;

/**
 * The JSON response of endpoints that treat SOFT and ELASTIC apart.
 *
 * @param endpoint the endpoint's name
 * @param outcome how the request was admitted
 */
record MarkedAnswer(String endpoint, String outcome) {
  /** Reads the outcome from the decision, which is an attribute of the request. */
  static MarkedAnswer from(String endpoint, HttpServletRequest request) {
    String outcome =
        request.getAttribute(Decision.class.getName()) instanceof Decision decision
            ? decision.outcome().name()
            : "NOT_LIMITED";
    return new MarkedAnswer(endpoint, outcome);
  }
}
