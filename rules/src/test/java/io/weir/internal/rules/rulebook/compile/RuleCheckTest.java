package io.weir.internal.rules.rulebook.compile;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.Policy;
import io.weir.annotation.Algorithm;
import io.weir.annotation.ClearOn;
import io.weir.annotation.Count;
import io.weir.annotation.Mode;
import io.weir.internal.rules.rulebook.Compiling;
import io.weir.internal.rules.rulebook.Rulebook;
import io.weir.internal.rules.rulebook.pattern.EndpointForm;
import io.weir.rules.Rule;
import io.weir.rules.RuleBuilder;
import io.weir.rules.RuleState;
import io.weir.rules.RuleWindow;
import io.weir.rules.problem.RuleProblem;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RuleCheckTest {
  @Test
  void whatIsWellHasNothingToBeTold() {
    Rulebook book = Compiling.of(rule("free", "/b", "b").build()).rulebook();
    assertEquals(List.of(), told(rule("free", "/a", "a"), book));
  }

  @Test
  void problemsOfTheRuleAreTold() {
    List<RuleProblem> problems = check(rule("free", "a", "a").limit(0).build(), Rulebook.empty());
    assertEquals(
        List.of("endpoint_pattern", "limit_count"),
        problems.stream().map(RuleProblem::field).toList());
    assertEquals(false, problems.get(0).isWarning());
  }

  @Test
  void theBroaderRulesThatItReplacesAreTold() {
    Rulebook book =
        Compiling.of(
                rule("free", "/api/*", "broad").build(),
                rule("free", "*", "all").methods(Set.of("POST")).build(),
                rule("gold", "/api/*", "other").build(),
                rule("free", "/api/posts/{id}", "narrow").build())
            .rulebook();
    assertEquals(
        List.of(
            "endpoint_pattern: at its endpoints it takes the place of broad of free (id 1)",
            "endpoint_pattern: at its endpoints it takes the place of all of free (id 2)"),
        told(rule("free", "/api/posts", "new"), book));
    assertEquals(
        List.of("endpoint_pattern: at its endpoints it takes the place of broad of free (id 1)"),
        told(rule("free", "/api/posts", "new").methods(Set.of("GET")), book));
  }

  @Test
  void aRuleOfEverybodyBelowATiersIsTold() {
    Rulebook book = Compiling.of(rule("gold", "/api/posts", "gold").limit(100).build()).rulebook();
    assertEquals(
        List.of("limit_count: is below gold gold: 100 per minute, which then can't be used up"),
        told(rule("*", "/api/*", "all").limit(99), book));
    assertEquals(List.of(), told(rule("*", "/api/*", "all").limit(100), book));
    assertEquals(List.of(), told(rule("*", "/else", "all"), book));
  }

  @Test
  void aTiersRuleAboveThatOfEverybodyIsTold() {
    Rulebook book = Compiling.of(rule("*", "*", "all").limit(60).build()).rulebook();
    assertEquals(
        List.of("limit_count: can't be used up, since all tiers have * all: 60 per minute"),
        told(rule("gold", "/a", "gold").limit(2).window(RuleWindow.ofSeconds(1)), book));
    assertEquals(List.of(), told(rule("gold", "/a", "gold").limit(60), book));
  }

  @Test
  void whatBeginsANewBucketIsTold() {
    Rulebook book = Compiling.of(rule("free", "/a", "a").build()).rulebook();
    RuleBuilder same = rule("free", "/a", "a").row(1, 1);
    assertEquals(List.of(), told(same.limit(77), book));
    assertEquals(
        List.of(
            ": begins new buckets, so all counts start again: another name, algorithm, window,"
                + " burst, count_by, per_endpoint"),
        told(
            rule("free", "/a", "b")
                .row(1, 1)
                .algorithm(Algorithm.TOKEN_BUCKET)
                .window(RuleWindow.ofSeconds(9))
                .burst(3)
                .countBy(List.of("IP"))
                .perEndpoint(true),
            book));
    RuleBuilder refilled = rule("free", "/a", "a").row(1, 1).algorithm(Algorithm.TOKEN_BUCKET);
    assertEquals(
        List.of(": begins new buckets, so all counts start again: another algorithm, refill"),
        told(refilled.refill(2), book));
  }

  @Test
  void aNameThatAnotherRuleOfTheTierHasIsAProblemUnlessItIsADraft() {
    Rulebook book = Compiling.of(rule("free", "/b", "a").build()).rulebook();
    RuleBuilder second = rule("free", "/a", "a");
    assertEquals(false, check(second.build(), book).get(0).isWarning());
    second.state(RuleState.DRAFT);
    assertEquals(true, check(second.build(), book).get(0).isWarning());
    assertEquals(List.of(), told(rule("gold", "/a", "a"), book));
  }

  @Test
  void aNameThatEverybodysRuleOfAnotherWindowHasIsTold() {
    Rulebook book = Compiling.of(rule("*", "/b", "a").build()).rulebook();
    RuleBuilder same = rule("gold", "/c", "a");
    assertEquals(List.of(), told(same, book));
    assertEquals(
        List.of(
            "name: is also that of a of * (id 1), which counts differently: responses show both"
                + " under one name"),
        told(same.window(RuleWindow.ofSeconds(9)), book));
    Rulebook ofTier = Compiling.of(rule("gold", "/b", "a").build()).rulebook();
    assertEquals(List.of(), told(rule("free", "/c", "a").window(RuleWindow.ofSeconds(9)), ofTier));
    assertEquals(1, told(rule("*", "/c", "a").window(RuleWindow.ofSeconds(9)), ofTier).size());
  }

  private static RuleBuilder signIn() {
    return Rule.builder("*", "/sign-in")
        .limit(1_000)
        .methods(Set.of("POST"))
        .countBy(List.of("header:X-Account", "IP"))
        .counts(Count.FAILURES)
        .clearOn(ClearOn.SUCCESS);
  }

  @Test
  void aSuccessClearsOnlyWhereItIsThatOfAnAccount() {
    Rulebook none = Rulebook.empty();
    assertEquals(List.of(), told(signIn(), none));
    String oneKind = "clear_on: SUCCESS needs one method and a pattern without *";
    for (RuleBuilder each :
        List.of(
            signIn().methods(Set.of()),
            signIn().methods(Set.of("GET", "POST")),
            Rule.builder("*", "/sign-in/*")
                .limit(9)
                .methods(Set.of("POST"))
                .countBy(List.of("header:X-Account"))
                .counts(Count.FAILURES)
                .clearOn(ClearOn.SUCCESS))) {
      List<String> told = told(each, none);
      assertEquals(1, told.size(), told::toString);
      assertEquals(oneKind, told.get(0).substring(0, oneKind.length()));
      assertEquals(List.of(), told(each.condition("form"), none));
    }
    assertEquals(List.of("clear_on"), fields(signIn().countBy(List.of("USER"))));
    assertEquals(List.of("clear_on"), fields(signIn().counts(Count.ALL)));
    assertEquals(List.of("clear_on"), fields(signIn().algorithm(Algorithm.TOKEN_BUCKET)));
    assertEquals(List.of("limit_count"), fields(signIn().limit(1_001)));
    assertEquals(List.of("overshoot"), fields(signIn().overshoot(5)));
    assertEquals(List.of("mode"), fields(signIn().mode(Mode.ELASTIC)));
    Rulebook before = Compiling.of(signIn().clearOn(ClearOn.NOTHING).build()).rulebook();
    assertEquals(
        List.of(": begins new buckets, so all counts start again: another clear_on"),
        told(signIn().row(1, 1), before));
  }

  private static List<String> fields(RuleBuilder rule) {
    return check(rule.build(), Rulebook.empty()).stream().map(RuleProblem::field).toList();
  }

  @Test
  void rulesThatChangeTogetherAreCheckedAsTheyWillBe() {
    Rulebook book =
        Compiling.of(rule("free", "/a", "a").build(), rule("free", "/b", "b").build()).rulebook();
    Rule first = rule("free", "/a", "b").row(1, 1).build();
    Rule second = rule("free", "/b", "a").row(2, 1).build();
    assertEquals("name", check(first, book).get(0).field(), "alone");
    assertEquals(List.of(0L, 0L), mistakes(List.of(first, second), List.of(), book));
    assertEquals(List.of(0L), mistakes(List.of(first), List.of(second), book), "it is deleted");
    Rule third = rule("free", "/c", "c").build();
    assertEquals(List.of(1L, 1L), mistakes(List.of(third, third), List.of(), book));
  }

  private static List<Long> mistakes(List<Rule> wanted, List<Rule> deleted, Rulebook book) {
    return RuleCheck.check(wanted, deleted, book).stream()
        .map(of -> of.stream().filter(each -> !each.isWarning()).count())
        .toList();
  }

  @Test
  void whatIsNotReadOfARuleForAPolicyIsTold() {
    Policy bound = Policy.builder("Search.search").limit(5).window(Duration.ofMinutes(1)).build();
    Rulebook book = Compiling.of().bound(bound).rulebook();
    RuleBuilder rule = Rule.builder("free", "policy:Search.search").limit(10);
    assertEquals(List.of(), told(rule, book));
    rule.window(RuleWindow.ofSeconds(9))
        .algorithm(Algorithm.TOKEN_BUCKET)
        .countBy(List.of("IP"))
        .clearOn(ClearOn.SUCCESS)
        .methods(Set.of("GET"));
    assertEquals(
        List.of(
            "window_seconds: is ignored: the window of Search.search is 1 minute",
            "algorithm: is ignored: Search.search counts by SLIDING_WINDOW",
            "methods: is ignored in a rule for a policy",
            "count_by: is ignored in a rule for a policy",
            "clear_on: is ignored in a rule for a policy"),
        told(rule, book));
  }

  @Test
  void aPolicyThatNobodyHasMetIsTold() {
    assertEquals(
        List.of("endpoint_pattern: no policy Serach.search is known so far"),
        told(Rule.builder("free", "policy:Serach.search").limit(1), Rulebook.empty()));
  }

  @Test
  void aLiteralThatNoTemplateMatchesIsTold() {
    Rulebook named =
        Compiling.of(rule("free", "/api/posts/{id}", "template").limit(5).build()).rulebook();
    List<String> wanted =
        List.of(
            "endpoint_pattern: never matches where the endpoint is the template /api/posts/{id},"
                + " as in JAX-RS: a literal doesn't match a variable");
    assertEquals(wanted, told(rule("gold", "/api/posts/42", "one"), named));
    Rulebook met = Compiling.of(rule("free", "/else", "else").build()).rulebook();
    met.match(EndpointForm.TEMPLATE, "/api/posts/{id}", "GET");
    assertEquals(wanted, told(rule("free", "/api/posts/42", "one"), met));
    assertEquals(List.of(), told(rule("free", "/api/posts/{x}", "one"), met));
    assertEquals(List.of(), told(rule("free", "/api/users/42", "one"), met));
  }

  private static RuleBuilder rule(String tier, String pattern, String name) {
    return Rule.builder(tier, pattern).limit(10).name(name);
  }

  private static List<RuleProblem> check(Rule rule, Rulebook book) {
    return RuleCheck.check(List.of(rule), List.of(), book).get(0);
  }

  private static List<String> told(RuleBuilder rule, Rulebook book) {
    return check(rule.build(), book).stream()
        .map(each -> each.field() + ": " + each.message())
        .toList();
  }
}
