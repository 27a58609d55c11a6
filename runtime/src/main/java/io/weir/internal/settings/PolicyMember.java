package io.weir.internal.settings;

import io.weir.Policy;
import io.weir.PolicyBuilder;
import io.weir.annotation.RateLimit;
import java.util.Locale;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * A member of a policy: where its value is found, how it is written, and where it goes. Its range
 * and its default stand at {@link PolicyBuilder} and {@link RateLimit}.
 *
 * <p>Immutable.
 *
 * @param <T> the type of its values
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

  /** The same, with what the table of policies says of it. */
  PolicyMember<T> notedAs(Function<Policy, String> text) {
    return new PolicyMember<>(name, syntax, reader, writer, text);
  }

  /**
   * Its name in the annotation.
   *
   * @return {@code exceedBy}
   */
  public String name() {
    return name;
  }

  /**
   * Its name in settings.
   *
   * @return {@code exceed-by}
   */
  public String setting() {
    return setting;
  }

  ValueSyntax<T> syntax() {
    return syntax;
  }

  /**
   * Its value in an annotation.
   *
   * @param annotation the annotation
   * @return what is written, or its default
   */
  public T of(RateLimit annotation) {
    return reader.apply(annotation);
  }

  /**
   * Gives a policy a value.
   *
   * @param value the value, right or wrong
   * @param policy takes it
   */
  public void give(T value, PolicyBuilder policy) {
    writer.accept(policy, value);
  }

  /**
   * What the table of policies says of it in its last column.
   *
   * @param policy the policy
   * @return nothing where it is usual or has a column of its own
   */
  public String note(Policy policy) {
    return note.apply(policy);
  }
}
