package io.weir.internal.control.http;

import io.weir.InvalidRequestException;
import io.weir.internal.control.json.InvalidFieldException;
import io.weir.internal.control.json.MalformedJsonException;
import io.weir.rules.problem.ConflictException;
import io.weir.rules.problem.InvalidRuleException;
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

/**
 * What went wrong, as a problem document (RFC 9457). Members beside the usual ones: {@code field}
 * and {@code rule} of bad input, {@code problems} where there are several, {@code version} of a row
 * that has changed meanwhile.
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
   * A problem in words.
   *
   * @param status the HTTP status, 400 and more
   * @param detail a sentence for people
   * @return the problem
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
   * A field that breaks a rule.
   *
   * @param field its path
   * @param rule what must be, beginning with {@code must}
   * @return 400
   */
  public static Problem field(String field, String rule) {
    return of(BAD_REQUEST, field + " " + rule + ".").with("field", field).with("rule", rule);
  }

  /**
   * Something that isn't there.
   *
   * @param what names it, {@code There is no rule 17.} say
   * @return 404
   */
  public static Problem notFound(String what) {
    return of(NOT_FOUND, what);
  }

  /**
   * Somebody else was faster.
   *
   * @param detail names the row
   * @param version the version in force
   * @return 409
   */
  public static Problem conflict(String detail, long version) {
    return of(CONFLICT, detail).with("version", version);
  }

  /**
   * What an exception means to the client. Nothing is told of one that isn't meant for it.
   *
   * @param thrown what a resource, or whoever it asked, has thrown
   * @return the problem; 500 for what nobody expects
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
    if (thrown instanceof RulesUnavailableException) {
      return of(UNAVAILABLE, "The database with the rules can't be reached.");
    }
    if (thrown instanceof WebApplicationException wrong) {
      return ofStatus(wrong.getResponse().getStatus());
    }
    return ofStatus(INTERNAL);
  }

  private static Problem of(InvalidRuleException wrong) {
    Problem problem = of(BAD_REQUEST, String.valueOf(wrong.getMessage()));
    List<Map<String, String>> all = new ArrayList<>();
    for (RuleProblem each : wrong.problems()) {
      if (!each.isWarning()) {
        String field = camelCase(each.field());
        if (all.isEmpty()) {
          problem = problem.with("field", field).with("rule", each.message());
        }
        all.add(Map.of("field", field, "rule", each.message()));
      }
    }
    return problem.with("problems", all);
  }

  /** As the API calls a column. */
  private static String camelCase(String column) {
    StringBuilder name = new StringBuilder(column.length());
    for (String word : column.split("_")) {
      boolean isFirst = name.isEmpty() || word.isEmpty();
      name.append(isFirst ? word : word.substring(0, 1).toUpperCase(Locale.ROOT));
      name.append(isFirst ? "" : word.substring(1));
    }
    return name.toString();
  }

  /**
   * A problem of which nothing but the status is known.
   *
   * @param status the HTTP status, 400 and more
   * @return the problem
   */
  public static Problem ofStatus(int status) {
    return of(
        status,
        switch (status) {
          case BAD_REQUEST -> "The request can't be read.";
          case UNAUTHORIZED -> "Nobody is signed in.";
          case NOT_FOUND -> "There is nothing at this path.";
          case METHOD_NOT_ALLOWED -> "This path doesn't answer that method.";
          case 406 -> "There is nothing here of a type that the request accepts.";
          case 415 -> "The body must be of the type that this path takes: application/json.";
          default ->
              status >= INTERNAL ? "Something went wrong here." : "The request can't be answered.";
        });
  }

  /**
   * The same with one more member.
   *
   * @param name the member's name
   * @param value its value
   * @return another problem
   */
  public Problem with(String name, Object value) {
    Map<String, Object> more = new LinkedHashMap<>(members);
    more.put(name, value);
    return new Problem(status, more);
  }

  /**
   * Whether it is a mistake of ours, which belongs into the log.
   *
   * @return true for the status 500
   */
  public boolean isUnexpected() {
    return status == INTERNAL;
  }

  /**
   * The document, where it is a part of an answer.
   *
   * @return its members
   */
  public Map<String, Object> document() {
    return Collections.unmodifiableMap(members);
  }

  /**
   * The response that tells it.
   *
   * @return with a document
   */
  public Response response() {
    return builder().build();
  }

  /** The response with the header fields of another one, its {@code Allow} for example. */
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
   * An exception that ends the request with it. No mapper of the application is asked, since the
   * response has a body.
   *
   * @return to be thrown
   */
  public WebApplicationException exception() {
    return new WebApplicationException(response());
  }
}
