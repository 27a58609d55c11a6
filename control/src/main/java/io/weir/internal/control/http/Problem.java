package io.weir.internal.control.http;

import io.weir.InvalidRequestException;
import io.weir.internal.control.json.InvalidFieldException;
import io.weir.internal.control.json.JsonRecords;
import io.weir.internal.control.json.MalformedJsonException;
import io.weir.rules.problem.ConflictException;
import io.weir.rules.problem.InvalidRuleException;
import io.weir.rules.problem.QueryTooLargeException;
import io.weir.rules.problem.RuleProblem;
import io.weir.rules.problem.RulesUnavailableException;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A problem document (RFC 9457). Additional members: {@code field} and {@code rule} of invalid
 * input, {@code problems} if there are several, {@code version} of a row that has changed since,
 * {@code signIn}, the address of the application's page for that, {@code signedInAs}, the caller
 * where a page expects another one.
 *
 * <p>Immutable.
 */
public final class Problem {
  private static final MediaType TYPE = new MediaType("application", "problem+json");
  private static final int BAD_REQUEST = 400;
  private static final int UNAUTHORIZED = 401;
  private static final int NOT_FOUND = 404;
  private static final int METHOD_NOT_ALLOWED = 405;
  private static final int CONFLICT = 409;
  private static final int UNAVAILABLE = 503;
  private static final int INTERNAL = 500;

  private final int status;
  private final Map<String, Object> members;

  private Problem(int status, Map<String, Object> members) {
    this.status = status;
    this.members = members;
  }

  /**
   * Makes a problem.
   *
   * @param status the HTTP status, 400 or higher
   * @param detail a sentence for people
   */
  public static Problem of(int status, String detail) {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("type", "about:blank");
    members.put("title", JsonEntity.status(status).getReasonPhrase());
    members.put("status", status);
    members.put("detail", detail);
    return new Problem(status, members);
  }

  /**
   * Makes the problem of a field that breaks a rule.
   *
   * @param rule a phrase that begins with {@code must}
   * @return status 400
   */
  public static Problem field(String field, String rule) {
    return of(BAD_REQUEST, field + " " + rule + ".").with("field", field).with("rule", rule);
  }

  /**
   * Makes the problem of a caller that has to sign in.
   *
   * @param signIn the address of the page for that; empty if there is none
   * @return status 401
   */
  public static Problem unauthorized(Optional<String> signIn) {
    Problem problem = ofStatus(UNAUTHORIZED);
    return signIn.map(address -> problem.with("signIn", address)).orElse(problem);
  }

  /**
   * Makes the problem of something that doesn't exist.
   *
   * @param detail names it, as in {@code There is no rule 17.}
   * @return status 404
   */
  public static Problem notFound(String detail) {
    return of(NOT_FOUND, detail);
  }

  /** Makes the problem, with the status 409, of a row that has changed since the client read it. */
  public static Problem conflict(String detail, long version) {
    return of(CONFLICT, detail).with("version", version);
  }

  /**
   * Converts an exception. The message of an unexpected one isn't shown to the client.
   *
   * @return the problem; status 500 for an unexpected exception
   */
  public static Problem of(Throwable thrown) {
    if (thrown instanceof InvalidFieldException wrong) {
      return field(wrong.field(), wrong.rule());
    }
    if (thrown instanceof InvalidRuleException wrong) {
      return of(wrong);
    }
    if (thrown instanceof MalformedJsonException || thrown instanceof InvalidRequestException) {
      return of(BAD_REQUEST, String.valueOf(thrown.getMessage()));
    }
    if (thrown instanceof ConflictException) {
      return of(CONFLICT, String.valueOf(thrown.getMessage()));
    }
    if (thrown instanceof QueryTooLargeException large) {
      return of(UNAVAILABLE, sentence(String.valueOf(large.getMessage())));
    }
    if (thrown instanceof RulesUnavailableException) {
      return of(UNAVAILABLE, "The rules database can't be reached.");
    }
    if (thrown instanceof WebApplicationException wrong) {
      return ofStatus(wrong.getResponse().getStatus());
    }
    return ofStatus(INTERNAL);
  }

  private static String sentence(String message) {
    return message.substring(0, 1).toUpperCase(Locale.ROOT) + message.substring(1) + ".";
  }

  private static Problem of(InvalidRuleException wrong) {
    Problem problem = of(BAD_REQUEST, String.valueOf(wrong.getMessage()));
    List<Map<String, String>> all = new ArrayList<>();
    for (RuleProblem each : wrong.problems()) {
      if (!each.isWarning()) {
        String field = JsonRecords.camelCase(each.field());
        if (all.isEmpty()) {
          problem = problem.with("field", field).with("rule", each.message());
        }
        all.add(Map.of("field", field, "rule", each.message()));
      }
    }
    return problem.with("problems", all);
  }

  /**
   * Makes a problem of which only the status is known.
   *
   * @param status the HTTP status, 400 or higher
   */
  public static Problem ofStatus(int status) {
    return of(
        status,
        switch (status) {
          case BAD_REQUEST -> "The request is malformed.";
          case UNAUTHORIZED -> "Authentication is required.";
          case NOT_FOUND -> "This path doesn't exist.";
          case METHOD_NOT_ALLOWED -> "This path doesn't support the request's method.";
          case 406 -> "This path has none of the media types that the request accepts.";
          case 415 -> "This path doesn't support the media type of the body.";
          case INTERNAL -> "An unexpected error occurred; see the server's log.";
          default ->
              status > INTERNAL
                  ? "The server can't answer the request at the moment."
                  : "The request was rejected.";
        });
  }

  /** Returns a copy of this problem with a member more. */
  public Problem with(String name, Object value) {
    Map<String, Object> more = new LinkedHashMap<>(members);
    more.put(name, value);
    return new Problem(status, more);
  }

  /** Returns whether it is an unexpected failure, with the status 500, which belongs in the log. */
  public boolean isUnexpected() {
    return status == INTERNAL;
  }

  public int status() {
    return status;
  }

  /** Returns the document, to be part of another body. */
  public Map<String, Object> document() {
    return Collections.unmodifiableMap(members);
  }

  public Response response() {
    return builder().build();
  }

  /** Makes the response with {@code Allow} and {@code WWW-Authenticate} of another one. */
  Response response(Response other) {
    Response.ResponseBuilder builder = builder();
    for (String name : List.of(HttpHeaders.ALLOW, HttpHeaders.WWW_AUTHENTICATE)) {
      String value = other.getHeaderString(name);
      if (value != null) {
        builder.header(name, value);
      }
    }
    return builder.build();
  }

  private Response.ResponseBuilder builder() {
    Response.ResponseBuilder builder =
        JsonEntity.response(JsonEntity.status(status), members, TYPE);
    if (status == UNAUTHORIZED) {
      builder.header(HttpHeaders.WWW_AUTHENTICATE, "Bearer");
    }
    return builder;
  }

  /**
   * Makes an exception that ends the request with this problem. Since its response has a body,
   * JAX-RS calls no mapper of the application.
   */
  public WebApplicationException exception() {
    return new WebApplicationException(response());
  }
}
