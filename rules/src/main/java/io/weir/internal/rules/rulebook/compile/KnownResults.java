package io.weir.internal.rules.rulebook.compile;

import io.weir.internal.rules.rulebook.column.RowProblems;
import io.weir.internal.rules.rulebook.pattern.EndpointPattern;
import io.weir.rules.Rule;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Caches the rules that could be compiled from one rulebook to the next, as long as the application
 * stays the same, and the patterns of all rules.
 *
 * <p>Confine to one thread at a time.
 */
public final class KnownResults {
  private @Nullable ApplicationSnapshot context;
  private IdentityHashMap<Rule, RuleCompiler.Result> before = new IdentityHashMap<>();
  private IdentityHashMap<Rule, RuleCompiler.Result> now = new IdentityHashMap<>();
  private Map<String, EndpointPattern> patternsBefore = new HashMap<>();
  private Map<String, EndpointPattern> patterns = new HashMap<>();

  public KnownResults() {}

  /** Begins a rulebook; beside another application nothing is known. */
  void begin(ApplicationSnapshot application) {
    now = new IdentityHashMap<>();
    patterns = new HashMap<>();
    if (!application.isSameAs(context)) {
      before.clear();
    }
    context = application;
  }

  /** Forgets the rules that the rulebook didn't ask for. */
  void end() {
    before = now;
    patternsBefore = patterns;
  }

  /** Returns the result of a rule, which is compiled unless it is known to be usable. */
  RuleCompiler.Result of(Rule rule) {
    RuleCompiler.Result known = before.get(rule);
    RuleCompiler.Result result = known == null ? compile(rule) : known;
    if (result.rule().isPresent()) {
      now.put(rule, result);
      patterns.putIfAbsent(rule.pattern(), result.rule().get().pattern());
    }
    return result;
  }

  /** Returns a pattern, which many rules may have, and a changed rule had before. */
  private EndpointPattern pattern(String text) {
    EndpointPattern known = patterns.getOrDefault(text, patternsBefore.get(text));
    return known == null ? EndpointPattern.parse(text) : known;
  }

  /** Compiles one rule; any failure, also an unforeseen one, excludes only this row. */
  private RuleCompiler.Result compile(Rule rule) {
    try {
      return RuleCompiler.compile(rule, Objects.requireNonNull(context), this::pattern);
    } catch (RuntimeException unforeseen) {
      RowProblems row = RowProblems.of(rule);
      row.wrong("", "can't be used: " + unforeseen);
      return new RuleCompiler.Result(Optional.empty(), row.all());
    }
  }
}
