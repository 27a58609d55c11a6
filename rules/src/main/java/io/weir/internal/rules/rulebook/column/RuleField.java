package io.weir.internal.rules.rulebook.column;

import io.weir.rules.Rule;
import io.weir.rules.RuleBuilder;
import java.time.Instant;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A column of {@code rate_limit_rules}, and the member of a {@link Rule} that it holds.
 *
 * @param <T> the type of the member, as JSON has it
 * @param reader reads the column; empty if the member keeps its default
 * @param getter returns the member; null if it says nothing
 */
record RuleField<T>(
    String column,
    Function<ColumnReader, Optional<T>> reader,
    BiConsumer<RuleBuilder, T> setter,
    Function<Rule, @Nullable T> getter) {
  void read(ColumnReader columns, RuleBuilder rule) {
    reader.apply(columns).ifPresent(value -> setter.accept(rule, value));
  }

  /** Makes a field whose column is read before or with others. */
  static RuleField<?> written(String column, Function<Rule, @Nullable Object> getter) {
    return new RuleField<>(column, columns -> Optional.empty(), (rule, value) -> {}, getter);
  }

  static RuleField<?> text(
      String column, BiConsumer<RuleBuilder, String> setter, Function<Rule, String> getter) {
    return new RuleField<>(
        column, columns -> columns.text(column), setter, rule -> unless("", getter.apply(rule)));
  }

  static RuleField<?> number(
      String column,
      long least,
      long most,
      BiConsumer<RuleBuilder, Long> setter,
      Function<Rule, @Nullable Long> getter) {
    return new RuleField<>(column, columns -> columns.number(column, least, most), setter, getter);
  }

  static RuleField<?> flag(
      String column, BiConsumer<RuleBuilder, Boolean> setter, Function<Rule, Boolean> getter) {
    return new RuleField<>(column, columns -> columns.flag(column), setter, getter);
  }

  static <E extends Enum<E>> RuleField<?> word(
      String column,
      Class<E> words,
      BiConsumer<RuleBuilder, E> setter,
      Function<Rule, @Nullable E> getter) {
    return new RuleField<>(column, columns -> columns.word(column, words), setter, getter);
  }

  static RuleField<?> time(
      String column,
      BiConsumer<RuleBuilder, Instant> setter,
      Function<Rule, Optional<Instant>> getter) {
    return new RuleField<>(
        column, columns -> columns.time(column), setter, rule -> getter.apply(rule).orElse(null));
  }

  /** Returns a value, or null if it is one that says nothing. */
  static <V> @Nullable V unless(V nothing, V value) {
    return value.equals(nothing) ? null : value;
  }
}
