package io.weir.internal.settings;

import io.weir.Policy;
import io.weir.PolicyBuilder;
import io.weir.annotation.RateLimit;
import java.util.Locale;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * Describes a member of a policy: how it is read from an annotation, written in settings, and put
 * into a policy. {@link PolicyBuilder} has its range and {@link RateLimit} its default.
 *
 * <p>Immutable.
 */
public final class PolicyMember<T> {
  private final String name;
  private final String setting;
  private final ValueSyntax<T> syntax;
  private final Function<RateLimit, T> reader;
  private final BiConsumer<PolicyBuilder, T> writer;
  private final Function<Policy, String> note;

  private PolicyMember(
      String name,
      ValueSyntax<T> syntax,
      Function<RateLimit, T> reader,
      BiConsumer<PolicyBuilder, T> writer,
      Function<Policy, String> note) {
    this.name = name;
    this.setting = name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    this.syntax = syntax;
    this.reader = reader;
    this.writer = writer;
    this.note = note;
  }

  static <T> PolicyMember<T> of(
      String name,
      ValueSyntax<T> syntax,
      Function<RateLimit, T> reader,
      BiConsumer<PolicyBuilder, T> writer) {
    return new PolicyMember<>(name, syntax, reader, writer, policy -> "");
  }

  /** Adds what the table of policies notes about it. */
  PolicyMember<T> notedAs(Function<Policy, String> text) {
    return new PolicyMember<>(name, syntax, reader, writer, text);
  }

  /** Returns its name in the annotation, such as {@code exceedBy}. */
  public String name() {
    return name;
  }

  /** Returns its name in settings, such as {@code exceed-by}. */
  public String setting() {
    return setting;
  }

  ValueSyntax<T> syntax() {
    return syntax;
  }

  /** Returns its value in an annotation, which may be the default. */
  public T of(RateLimit annotation) {
    return reader.apply(annotation);
  }

  /** Sets its value in a policy, valid or not. */
  public void give(T value, PolicyBuilder policy) {
    writer.accept(policy, value);
  }

  /**
   * Returns its note for the last column of the table of policies.
   *
   * @return the empty string where the value is usual or has a column of its own
   */
  public String note(Policy policy) {
    return note.apply(policy);
  }
}
