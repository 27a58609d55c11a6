package io.weir.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.store.BucketSpec;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class GeneratedRuleNameTest {
  @Test
  void slashesBecomeDotsAndTheWindowFollows() {
    assertEquals("api.posts-60s", rule("/api/posts").build().name());
  }

  @Test
  void aPeriodIsToldAsItIsWritten() {
    RuleWindow quarter = RuleWindow.ofCalendar(3, ChronoUnit.MONTHS);
    assertEquals("api.posts-3month", rule("/api/posts").window(quarter).build().name());
    assertEquals("api.posts-quota", rule("/api/posts").window(RuleWindow.ofQuota()).build().name());
  }

  @Test
  void aVariableBecomesAnUnderscoreAndADigestTellsThePattern() {
    String name = rule("/api/posts/{id}").build().name();
    assertTrue(name.matches("api\\.posts\\._-60s-[0-9a-f]{8}"), name);
    assertNotEquals(name, rule("/api/posts/_").build().name());
  }

  @Test
  void aLastStarBecomesAll() {
    assertTrue(rule("/api/*").build().name().matches("api\\.all-60s-[0-9a-f]{8}"));
    assertTrue(rule("*").build().name().matches("all-60s-[0-9a-f]{8}"));
    assertNotEquals(rule("/api/*").build().name(), rule("/api/all").build().name());
  }

  @Test
  void methodsThatAreNotTheDefaultAreInTheDigest() {
    String read = rule("/api/posts").methods(Set.of("GET")).build().name();
    String write = rule("/api/posts").methods(Set.of("POST", "PUT")).build().name();
    assertTrue(read.matches("api\\.posts-60s-[0-9a-f]{8}"), read);
    assertNotEquals(read, write);
    assertEquals(write, rule("/api/posts").methods(Set.of("PUT", "POST")).build().name());
  }

  @Test
  void whomItCountsIsInTheDigestUnlessByUser() {
    String byAddress = rule("/api/posts").countBy(List.of("IP")).build().name();
    assertTrue(byAddress.matches("api\\.posts-60s-[0-9a-f]{8}"), byAddress);
    assertNotEquals(byAddress, rule("/api/posts").countBy(List.of("ENDPOINT")).build().name());
  }

  @Test
  void aDotInThePatternIsNoSlash() {
    assertNotEquals(rule("/api/v1").build().name(), rule("/api.v1").build().name());
  }

  @Test
  void aLongOneIsCutTo50AndKeepsItsWindow() {
    String path = "/" + "a".repeat(200);
    String name = rule(path).build().name();
    assertTrue(name.matches("a{46}-60s-[0-9a-f]{8}"), name);
    assertNotEquals(name, rule(path + "b").build().name());
    assertNotEquals(name, rule(path).window(RuleWindow.ofSeconds(3_600)).build().name());
  }

  @Test
  void namesOfVariablesAndASlashAtTheEndMakeNoOtherName() {
    String name = rule("/api/posts/{id}").build().name();
    assertEquals(name, rule("/api/posts/{post}/").build().name());
    assertEquals(name, rule("/api/posts/{id: [0-9]{3}}").build().name());
    assertEquals(rule("/api/posts").build().name(), rule("/api/posts/").build().name());
  }

  @Test
  void aGivenNameIsTakenAsItIs() {
    assertEquals("posts", rule("/api/posts").name("posts").build().name());
  }

  @Test
  void eachMadeNameCanBeTheNameOfAPolicy() {
    for (String pattern : List.of("/", "*", "/ä/{x: \\d+}", "policy:Search.search", "/a b/%")) {
      String name = rule(pattern).build().name();
      assertTrue(BucketSpec.isName(name), name);
    }
  }

  private static RuleBuilder rule(String pattern) {
    return Rule.builder("free", pattern).limit(10);
  }
}
