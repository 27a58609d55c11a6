package io.weir.test.pages;

import static java.time.Duration.ZERO;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Key;
import io.weir.PermitRequest;
import io.weir.Policy;
import io.weir.annotation.RateLimit;
import io.weir.testkit.FakeRequest;
import io.weir.testkit.cluster.SimulatedCluster;
import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Shows the behaviour that docs/questions.md explains. */
class QuestionsPageTest {
  private static final MarkdownPage PAGE = MarkdownPage.read("questions.md");
  private static final Pattern FIGURE =
      Pattern.compile("\\d+(?:[.,]\\d+)*(?: (?:ns|B|µs|s more))?");

  /** A hundred a minute. */
  public static final class Search {
    /** The endpoint. */
    @RateLimit(name = "search", limit = 100, window = 60)
    public void limited() {}
  }

  private static String block(String heading) {
    List<CodeBlock> found =
        PAGE.blocks().stream().filter(each -> each.heading().equals(heading)).toList();
    assertEquals(1, found.size(), heading);
    return found.get(0).text();
  }

  @Test
  void everyBlockIsRunHere() {
    assertEquals(3, PAGE.blocks().size());
  }

  @Test
  void aSlidingWindowSaysSixtyOneSecondsAndKeepsItsWord() {
    try (AnnotatedEndpoint endpoint = new AnnotatedEndpoint(Search.class)) {
      Map<String, String> fields = endpoint.send(FakeRequest.from("192.0.2.1")).fields();
      assertEquals(
          block("Why does `t` say 61 for a window of 60 seconds?"),
          "RateLimit-Policy: "
              + fields.get("RateLimit-Policy")
              + "\nRateLimit: "
              + fields.get("RateLimit")
              + "\n");
      assertEquals(List.of(60, 39), endpoint.admitted(ZERO, ZERO));
      Map<String, String> refused = endpoint.send(FakeRequest.from("192.0.2.1")).fields();
      assertEquals("61", refused.get("Retry-After"));
      assertEquals(List.of(0, 60), endpoint.admitted(ofSeconds(60), ofSeconds(1)));
    }
  }

  /** The busy node has a lease; the other one then takes all that the store has left. */
  @Test
  void oneNodeRefusesWhileAnotherOneSpendsItsLease() {
    Policy policy = Policy.builder("search").limit(1_000).window(ofMinutes(10)).build();
    SimulatedCluster cluster = SimulatedCluster.builder().nodes(2).build();
    for (int i = 0; i < 100; i++) {
      ask(cluster, 0, policy);
      cluster.run(ofMillis(20));
    }
    int before = 0;
    while (ask(cluster, 1, policy)) {
      before++;
    }
    assertTrue(ask(cluster, 0, policy), "the other node goes on");
    assertFalse(ask(cluster, 1, policy));
    int after = 1;
    while (ask(cluster, 0, policy)) {
      after++;
    }
    assertTrue(100 + before + after <= 1_000, "together no more than the limit");
    cluster.close();
  }

  /** Asks once, and lets the time of a round trip pass. */
  private static boolean ask(SimulatedCluster cluster, int node, Policy policy) {
    List<Boolean> admitted = new ArrayList<>();
    PermitRequest request = new PermitRequest(policy, Key.user("alice"));
    cluster.request(node, List.of(request), decision -> admitted.add(decision.admitted()));
    while (admitted.isEmpty()) {
      cluster.run(ofMillis(1));
    }
    return admitted.get(0);
  }

  @Test
  void refusedRequestsDoNotCount() {
    try (AnnotatedEndpoint endpoint = new AnnotatedEndpoint(Search.class)) {
      assertEquals(List.of(60, 40), endpoint.admitted(ZERO, ZERO));
      assertEquals(List.of(0, 0, 60), endpoint.admitted(ZERO, ofSeconds(30), ofSeconds(31)));
    }
  }

  @Test
  void ipv6CallersOfOneNetworkShareALimit() {
    try (AnnotatedEndpoint endpoint = new AnnotatedEndpoint(Search.class)) {
      for (int i = 1; i <= 100; i++) {
        assertTrue(endpoint.send(FakeRequest.from("2001:db8:0:1::" + i)).isAdmitted());
      }
      assertFalse(endpoint.send(FakeRequest.from("2001:db8:0:1::ffff")).isAdmitted());
      assertTrue(endpoint.send(FakeRequest.from("2001:db8:0:2::1")).isAdmitted());
    }
  }

  @Test
  void aRestartIsANewLimitWithoutAStore() {
    for (int start = 0; start < 2; start++) {
      try (AnnotatedEndpoint endpoint = new AnnotatedEndpoint(Search.class)) {
        assertEquals(List.of(60, 40), endpoint.admitted(ZERO, ZERO));
      }
    }
  }

  @Test
  void aLimitIsChangedOrSwitchedOffByOneLine() throws IOException {
    Map<String, String> settings = new HashMap<>();
    try (AnnotatedEndpoint endpoint =
        new AnnotatedEndpoint(
            Search.class, builder -> builder.liveSettings(() -> Map.copyOf(settings)))) {
      assertEquals(List.of(60, 40), endpoint.admitted(ZERO, ZERO));
      change(settings, "Can I change a limit without a deployment?");
      endpoint.weir().refresh();
      assertEquals(List.of(60, 40), endpoint.admitted(ZERO, ZERO), "the count stays");
      change(settings, "How do I switch off one limit now?");
      endpoint.weir().refresh();
      assertEquals(List.of(60, 60), endpoint.admitted(ZERO, ZERO));
    }
  }

  private static void change(Map<String, String> settings, String heading) throws IOException {
    Properties said = new Properties();
    said.load(new StringReader(block(heading)));
    said.stringPropertyNames().forEach(name -> settings.put(name, said.getProperty(name)));
  }

  @Test
  void figuresAreThoseOfThePerformancePage() {
    String text = PAGE.text();
    int start = text.indexOf("\n## What does it cost?");
    String costs = text.substring(start, text.indexOf("\n## ", start + 1));
    String measured = MarkdownPage.read("performance.md").text();
    List<String> unknown = new ArrayList<>();
    int found = 0;
    Matcher figure = FIGURE.matcher(costs);
    while (figure.find()) {
      found++;
      if (!measured.contains(figure.group())) {
        unknown.add(figure.group());
      }
    }
    assertTrue(found > 15, "found only " + found);
    assertEquals(List.of(), unknown);
    assertTrue(measured.contains("`delaying` 28 % above") && text.contains("[28 %]"));
  }
}
