package io.weir.internal.control.decide.request;

import io.weir.internal.application.WeirRuntime;
import io.weir.internal.control.json.InvalidFieldException;
import org.jspecify.annotations.Nullable;

/**
 * Tells where requests have the key of their caller, so that a description's {@code apiKey} is read
 * from there. Immutable.
 *
 * @param caller the value of {@code weir.rules.caller}; empty if rules know no keys
 * @param access says where the access list reads keys; empty if it knows none
 */
public record KeyExpressions(String caller, String access) {
  /** No request has a key. */
  public static final KeyExpressions NONE = new KeyExpressions("", "");

  public static KeyExpressions of(WeirRuntime weir) {
    return new KeyExpressions(
        weir.setting("weir.rules.caller").strip(), weir.accessKeyExpression());
  }

  /** Returns whether an expression, such as {@code header:x-api-key}, is one of them. */
  public boolean include(String expression) {
    return expression.equalsIgnoreCase(caller) || expression.equalsIgnoreCase(access);
  }

  /** Returns whether rules know callers by their key. */
  public boolean areReadByRules() {
    return RequestAttributes.isExpression(caller);
  }

  /**
   * Puts a key where rules read it, in place of a value that was sent, and where the access list
   * does unless another value was sent for that.
   *
   * @param key null if the description has none
   * @throws InvalidFieldException if it has one, and nothing reads keys
   */
  RequestAttributes put(@Nullable String key, RequestAttributes sent) {
    if (key == null) {
      return sent;
    }
    boolean isOfList = RequestAttributes.isExpression(access);
    if (!isOfList && !areReadByRules()) {
      throw new InvalidFieldException(
          "apiKey", "must be left out, since weir.rules.caller has no source of keys");
    }
    RequestAttributes all = isOfList ? sent.withDefault(access, key) : sent;
    return areReadByRules() ? all.with(caller, key) : all;
  }
}
