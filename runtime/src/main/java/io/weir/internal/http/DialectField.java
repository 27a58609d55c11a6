package io.weir.internal.http;

import io.weir.Policy;
import java.util.Optional;
import java.util.function.Function;

/**
 * One header field of a {@link HeaderDialect}: its name, and how its value is written.
 *
 * <p>The fields of a policy hardly ever change and are kept; those of a caller are written for each
 * response. Immutable.
 */
final class DialectField {
  private final String name;
  private final boolean listsAll;
  private final Optional<PolicyText> ofPolicy;
  private final Function<CallerState, String> ofCaller;

  /** Writes a policy under the limit in force for a caller. */
  @FunctionalInterface
  interface PolicyText {
    String write(Policy policy, long limit);
  }

  private DialectField(
      String name,
      boolean listsAll,
      Optional<PolicyText> ofPolicy,
      Function<CallerState, String> ofCaller) {
    this.name = name;
    this.listsAll = listsAll;
    this.ofPolicy = ofPolicy;
    this.ofCaller = ofCaller;
  }

  /** A field that lists all policies that decided, in the order asked. */
  static DialectField ofEachPolicy(String name, PolicyText text) {
    return new DialectField(name, true, Optional.of(text), caller -> "");
  }

  /** A field that tells of the closest policy, whoever calls. */
  static DialectField ofClosestPolicy(String name, PolicyText text) {
    return new DialectField(name, false, Optional.of(text), caller -> "");
  }

  /** A field that tells what a caller has left under the closest policy. */
  static DialectField ofCaller(String name, Function<CallerState, String> text) {
    return new DialectField(name, false, Optional.empty(), text);
  }

  boolean listsAll() {
    return listsAll;
  }

  /** The field for a policy; nothing if it tells of the caller. */
  Optional<HeaderField> of(Policy policy, long limit) {
    return ofPolicy.map(text -> field(text.write(policy, limit)));
  }

  HeaderField of(CallerState caller) {
    return field(ofCaller.apply(caller));
  }

  HeaderField field(String value) {
    return new HeaderField(name, value);
  }
}
