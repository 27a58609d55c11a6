package io.weir.internal.rules.rulebook;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.weir.Policy;
import io.weir.PolicyMistake;
import io.weir.internal.rules.rulebook.compile.CompiledRulebook;
import io.weir.internal.rules.rulebook.compile.KnownResults;
import io.weir.rules.Rule;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Rulebooks that follow each other: only changed rules are compiled again. */
class CompiledAgainTest {
  private final KnownResults known = new KnownResults();
  private final Rule posts = rule(1, "/api/posts", 10);
  private final Rule users = rule(2, "/api/users", 20);

  private static Rule rule(long id, String pattern, long limit) {
    return Rule.builder("free", pattern).row(id, 1).limit(limit).build();
  }

  private List<CompiledRule> rules(Compiling from) {
    return from.compile(known).rulebook().rules();
  }

  @Test
  void aRuleThatIsTheSameIsCompiledOnce() {
    Compiling application = Compiling.of(posts, users);
    List<CompiledRule> first = rules(application);
    List<CompiledRule> second = rules(application.with(List.of(posts, rule(2, "/api/users", 21))));
    assertSame(first.get(0), second.get(0));
    assertEquals(21, second.get(1).rule().limit());
    List<CompiledRule> third = rules(application.with(List.of(posts)));
    assertEquals(1, third.size());
    assertSame(first.get(0), third.get(0));
  }

  @Test
  void besideAnotherApplicationAllAreCompiledAgain() {
    CompiledRule first = rules(Compiling.of(posts)).get(0);
    assertNotSame(first, rules(Compiling.of(posts)).get(0));
  }

  @Test
  void besideAnotherPolicyAllAreCompiledAgain() {
    Compiling application = Compiling.of(posts, users);
    assertEquals(2, rules(application).size());
    Policy named = Policy.builder(posts.name()).limit(1).window(Duration.ofMinutes(1)).build();
    CompiledRulebook beside = application.bound(named).compile(known);
    assertEquals(
        List.of(2L), beside.rulebook().rules().stream().map(each -> each.rule().id()).toList());
    assertEquals(1, beside.problems().size());
  }

  @Test
  void aRuleThatCouldNotBeUsedIsTriedAgain() {
    Compiling application = Compiling.of(posts).mistake(new PolicyMistake("key", "'x'", "is bad"));
    assertEquals(List.of(), rules(application));
    assertEquals(1, rules(application.withoutMistakes()).size());
  }
}
