package io.weir.internal.guard;

import io.weir.internal.extension.ForwardingRequestInfo;
import io.weir.spi.DecisionPhase;
import io.weir.spi.RequestInfo;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Shows a request that somebody asks about at one step of its route, and notes what is read from it
 * that the question doesn't say. Confine to one thread.
 */
final class AskedRequest extends ForwardingRequestInfo {
  private final RequestInfo asked;
  private final Optional<RouteStep> step;
  private final Predicate<String> isGiven;
  private final boolean hasIssuer;
  private final boolean showsUser;
  private Set<String> missing = new LinkedHashSet<>();

  /**
   * Shows a request.
   *
   * @param step where it is decided; empty where it is only checked
   * @param isGiven whether an expression, such as {@code header:x-api-key}, is known to be missing
   *     from the request if the question doesn't have it
   */
  AskedRequest(
      RequestInfo asked,
      Optional<RouteStep> step,
      Predicate<String> isGiven,
      boolean hasIssuer,
      boolean showsUser) {
    super(asked);
    this.asked = asked;
    this.step = step;
    this.isGiven = isGiven;
    this.hasIssuer = hasIssuer;
    this.showsUser = showsUser;
  }

  /** Removes and returns what was read since the last call and isn't known. */
  Set<String> takeMissing() {
    Set<String> before = missing;
    missing = new LinkedHashSet<>();
    return before;
  }

  private void note(boolean isMissing, String expression) {
    if (isMissing && !isGiven.test(expression)) {
      missing.add(expression);
    }
  }

  private Optional<String> noted(Optional<String> value, String expression) {
    note(value.isEmpty(), expression);
    return value;
  }

  @Override
  public String method() {
    return step.map(RouteStep::method).orElseGet(asked::method);
  }

  @Override
  public String answeredMethod() {
    return step.map(RouteStep::answeredMethod).orElseGet(asked::answeredMethod);
  }

  @Override
  public String endpoint() {
    return step.map(RouteStep::endpoint).orElseGet(asked::endpoint);
  }

  @Override
  public String mapping() {
    return step.map(RouteStep::mapping).orElseGet(asked::mapping);
  }

  @Override
  public boolean hasTemplate() {
    return step.map(RouteStep::hasTemplate).orElseGet(asked::hasTemplate);
  }

  /** A user may have signed in by another field than the usual one. */
  @Override
  public boolean mayBeLeftOut() {
    boolean mayBeLeftOut = asked.mayBeLeftOut();
    note(mayBeLeftOut && step.isPresent() && asked.user().isPresent(), "header:Authorization");
    return mayBeLeftOut;
  }

  @Override
  public List<String> headers(String name) {
    List<String> values = asked.headers(name);
    note(values.isEmpty(), "header:" + name);
    return values;
  }

  @Override
  public Optional<String> query(String name) {
    return noted(asked.query(name), "query:" + name);
  }

  @Override
  public List<String> queries(String name) {
    List<String> values = asked.queries(name);
    note(values.isEmpty(), "query:" + name);
    return values;
  }

  @Override
  public Optional<String> path(String name) {
    return noted(asked.path(name), "path:" + name);
  }

  @Override
  public Optional<String> cookie(String name) {
    return noted(asked.cookie(name), "cookie:" + name);
  }

  @Override
  public List<String> cookies(String name) {
    List<String> values = asked.cookies(name);
    note(values.isEmpty(), "cookie:" + name);
    return values;
  }

  @Override
  public Optional<String> form(String name) {
    return noted(asked.form(name), "form:" + name);
  }

  @Override
  public Optional<String> json(String pointer) {
    return noted(asked.json(pointer), "json:" + pointer);
  }

  @Override
  public Optional<String> jsonNumber(String pointer) {
    return noted(asked.jsonNumber(pointer), "json:" + pointer);
  }

  @Override
  public Optional<String> parameter(String name) {
    return noted(asked.parameter(name), "param:" + name);
  }

  @Override
  public Optional<String> user() {
    return showsUser ? asked.user() : Optional.empty();
  }

  @Override
  public Optional<String> issuer() {
    note(hasIssuer && user().isPresent(), "the issuer of the user");
    return asked.issuer();
  }

  @Override
  public Optional<String> peer() {
    return noted(asked.peer(), "ip");
  }

  @Override
  public Optional<String> address() {
    return noted(asked.address(), "ip");
  }

  /** Returns whether adapters may know the user already, as some containers sign in first. */
  static boolean mayHideUser(RouteStep step, RequestInfo asked) {
    return step.phase() == DecisionPhase.BEFORE_AUTHENTICATION && asked.user().isPresent();
  }
}
