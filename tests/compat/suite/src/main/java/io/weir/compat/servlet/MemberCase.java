package io.weir.compat.servlet;

import io.weir.WeirBuilder;
import io.weir.compat.AwayStore;
import io.weir.servlet.RateLimitFilter;
import io.weir.spi.CallerTier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * A member of the annotation, tested by the same requests to a servlet that has it and to one that
 * doesn't, with the expected statuses.
 *
 * <p>Requests are written one after the other: {@code 3} is three of them, {@code ?status=401} one
 * with that query, {@code HEAD?a=1} the same of another method, {@code Cookie:a=1} one with that
 * field, {@code @127.0.0.2} one from that address, {@code +11s} lets time pass.
 *
 * @param member the member under test
 * @param with a servlet that has the member
 * @param without a servlet that has it at its default, or another value of it
 * @param requests the requests to both
 * @param endsWith the statuses of the first; {@code 10x200} is ten of them
 * @param endsWithout the statuses of the second
 * @param parts sets parts of the Weir
 */
record MemberCase(
    String member,
    CountingServlet with,
    CountingServlet without,
    String requests,
    String endsWith,
    String endsWithout,
    Consumer<WeirBuilder> parts) {
  /** Returns all cases. */
  static Stream<MemberCase> all() {
    return Stream.of(
        of("limit", new Members.One(), new Members.Two()).ends("3", "200 429 429", "200 200 429"),
        of("window", new Members.One(), new Members.Longer())
            .ends("2 +11s 1", "200 429 200", "200 429 429"),
        of("unit", new Members.InMinutes(), new Members.One())
            .ends("2 +11s 1", "200 429 429", "200 429 200"),
        of("burst", new Members.Bursting(), new Members.Refilled())
            .ends("3", "200 200 429", "3x200"),
        of("cost", new Members.Costly(), new Members.Ten()).ends("3", "200 200 429", "3x200"),
        of("count = FAILURES", new Members.Failing(), new Members.Two())
            .ends(
                "3 ?status=401 ?status=404 1",
                "200 200 200 401 404 429",
                "200 200 429 429 429 429"),
        of("count = SUCCESSES", new Members.Succeeding(), new Members.Two())
            .ends(
                "?status=500 ?status=500 ?status=500 1 ?status=204 ?status=500",
                "500 500 500 200 204 429",
                "500 500 429 429 429 429"),
        of("clearOn = SUCCESS", new Members.Cleared(), new Members.FailingByKey())
            .ends(
                "?status=401&user=a ?user=a ?status=401&user=a ?status=401&user=a ?user=a",
                "401 200 401 401 429",
                "401 200 401 429 429"),
        of("a redirect is no success", new Members.Cleared(), new Members.FailingByKey())
            .ends(
                "?status=401&user=a ?status=302&user=a ?status=401&user=a ?user=a",
                "401 302 401 429",
                "401 302 401 429"),
        of("HEAD is no success", new Members.Cleared(), new Members.FailingByKey())
            .ends(
                "?status=401&user=a HEAD?user=a ?status=401&user=a ?user=a",
                "401 200 401 429",
                "401 200 401 429"),
        of("FIXED_WINDOW is new at its edge", new Members.Fixed(), new Members.Two())
            .ends("+9900ms 2 +100ms 3", "4x200 429", "200 200 3x429"),
        of("SLIDING_LOG is exact", new Members.Logged(), new Members.One())
            .ends("+50ms 1 +10s 1", "200 200", "200 429"),
        of("TOKEN_BUCKET is refilled one by one", new Members.Refilled(), new Members.Ten())
            .ends("10 +1s 2", "11x200 429", "10x200 429 429"),
        of("LEAKY_BUCKET spaces requests", new Members.Leaking(), new Members.Ten())
            .ends("2 +1s 2", "200 429 200 429", "4x200"),
        of("by = ENDPOINT", new Members.Everybody(), new Members.One())
            .ends("1 @127.0.0.2", "200 429", "200 200"),
        of("by = USER", new Members.ByUser(), new Members.One())
            .ends(
                "X-User:alice X-User:alice X-User:bob X-User:broken X-User:broken",
                "200 429 200 200 429",
                "200 429 429 429 429"),
        of("key of a header", new Members.ByHeader(), new Members.One())
            .ends("X-Api-Key:one X-Api-Key:two X-Api-Key:one", "200 200 429", "200 429 429"),
        of("key of a cookie", new Members.ByCookie(), new Members.One())
            .ends(
                "Cookie:a=1;session=s1 Cookie:session=s1 Cookie:session=s2",
                "200 429 200",
                "200 429 429"),
        of("several keys form one", new Members.ByQueryAndAddress(), new Members.One())
            .ends(
                "?a=1&b=23 ?a=1&b=23 ?a=12&b=3 ?a=1&b=23@127.0.0.2 ?b=2%33&a=%31",
                "200 429 200 200 429", "200 429 429 200 429"),
        of("mode = SOFT", new Members.Soft(), new Members.Ten())
            .ends("12", "11x200 429", "10x200 429 429"),
        of("exceedBy", new Members.Exceeding(), new Members.Soft())
            .ends("16", "15x200 429", "11x200 5x429"),
        of("mode = ELASTIC, idle", new Members.Elastic(), new Members.Ten())
            .on(parts -> parts.loadSensor(() -> 0.0))
            .ends("12", "11x200 429", "10x200 429 429"),
        of("mode = ELASTIC, overloaded", new Members.Elastic(), new Members.Ten())
            .on(parts -> parts.loadSensor(() -> 1.0))
            .ends("6", "5x200 503", "6x200"),
        of("tiers", new Members.Tiered(), new Members.One())
            .on(parts -> parts.tierResolver((request, policy) -> CallerTier.named("gold")))
            .ends("4", "3x200 429", "200 3x429"),
        of("refill of a tier", new Members.TieredRefill(), new Members.TieredOwnRefill())
            .on(parts -> parts.tierResolver((request, policy) -> CallerTier.named("gold")))
            .ends("5 +10s 5", "4x200 429 4x200 429", "4x200 429 200 4x429"),
        of("onStoreFailure", new Members.Closed(), new Members.One())
            .on(parts -> parts.store(new AwayStore()))
            .ends("1", "503", "200"),
        of("shadow", new Members.Watching(), new Members.One()).ends("3", "3x200", "200 429 429"),
        of("repeated, all must admit", new Members.Repeated(), new Members.Two())
            .ends("3 +11s 2", "200 200 429 200 429", "200 200 429 200 200"));
  }

  private static MemberCase of(String member, CountingServlet with, CountingServlet without) {
    return new MemberCase(member, with, without, "", "", "", parts -> {});
  }

  private MemberCase on(Consumer<WeirBuilder> own) {
    return new MemberCase(member, with, without, requests, endsWith, endsWithout, own);
  }

  private MemberCase ends(String sent, String one, String other) {
    return new MemberCase(member, with, without, sent, one, other, parts);
  }

  /** Starts both servlets, behind a filter that signs callers in if requests name users. */
  ServletApp start(ServletServer server) throws Exception {
    return ServletApp.on(server)
        .servlet("/with", with)
        .servlet("/without", without)
        .parts(parts)
        .filters(
            (context, weir) -> {
              if (requests.contains("X-User:")) {
                ServletAppBuilder.filter(context, "sign-in", new SignIn(), "/*");
              }
              ServletAppBuilder.filter(context, "weir", new RateLimitFilter(weir), "/*");
            })
        .start();
  }

  /** Sends all requests to both in turn, and returns the statuses of each. */
  List<List<Integer>> run(ServletApp app) {
    List<Integer> first = new ArrayList<>();
    List<Integer> second = new ArrayList<>();
    for (String step : requests.split(" ")) {
      if (step.startsWith("+")) {
        app.advance(duration(step.substring(1)));
      } else {
        int times = step.matches("\\d+") ? Integer.parseInt(step) : 1;
        for (int each = 0; each < times; each++) {
          first.add(send(app, "/with", step));
          second.add(send(app, "/without", step));
        }
      }
    }
    return List.of(first, second);
  }

  private static Duration duration(String text) {
    return text.endsWith("ms")
        ? Duration.ofMillis(Long.parseLong(text.replace("ms", "")))
        : Duration.ofSeconds(Long.parseLong(text.replace("s", "")));
  }

  private static int send(ServletApp app, String path, String step) {
    int at = step.indexOf('@');
    String address = at < 0 ? "127.0.0.1" : step.substring(at + 1);
    String what = at < 0 ? step : step.substring(0, at);
    String method = what.startsWith("HEAD") ? "HEAD" : "GET";
    String query = what.contains("?") ? what.substring(what.indexOf('?')) : "";
    String[] fields = what.contains(":") ? new String[] {field(what)} : new String[0];
    return app.sendFrom(address, method, path + query, fields).status();
  }

  private static String field(String text) {
    return text.replaceFirst(":", ": ").replace(";", "; ");
  }

  /** Parses statuses. */
  static List<Integer> statuses(String text) {
    List<Integer> all = new ArrayList<>();
    for (String each : text.split(" ")) {
      int times = each.contains("x") ? Integer.parseInt(each.substring(0, each.indexOf('x'))) : 1;
      for (int time = 0; time < times; time++) {
        all.add(Integer.parseInt(each.substring(each.indexOf('x') + 1)));
      }
    }
    return all;
  }

  @Override
  public String toString() {
    return member;
  }
}
