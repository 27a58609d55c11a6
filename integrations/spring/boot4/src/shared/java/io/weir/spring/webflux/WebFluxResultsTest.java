package io.weir.spring.webflux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Decision;
import io.weir.Policy;
import io.weir.Weir;
import io.weir.annotation.By;
import io.weir.annotation.ClearOn;
import io.weir.annotation.Count;
import io.weir.annotation.RateLimit;
import io.weir.spi.AppliedPolicies;
import io.weir.spi.CallerTier;
import io.weir.spi.DecisionPhase;
import io.weir.spi.PolicySource;
import io.weir.spi.RequestInfo;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.Order;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.http.codec.ServerSentEvent;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Results that end later than the handler returns: each request ends once, by its response. */
@EnabledIf("io.weir.spring.BootOfToday#isOneOfTwo")
class WebFluxResultsTest {
  private static final Queue<String> ENDED = new ConcurrentLinkedQueue<>();
  private static final Queue<String> QUESTIONS = new ConcurrentLinkedQueue<>();
  private static final Map<DecisionPhase, CompletableFuture<Void>> ASKED =
      new EnumMap<>(DecisionPhase.class);
  private static final Map<DecisionPhase, CompletableFuture<AppliedPolicies>> LATE =
      new EnumMap<>(DecisionPhase.class);
  private static FluxServer server;

  @BeforeAll
  static void start() {
    for (DecisionPhase phase : DecisionPhase.values()) {
      ASKED.put(phase, new CompletableFuture<>());
      LATE.put(phase, new CompletableFuture<>());
    }
    server = FluxServer.start(App.class);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Configuration(proxyBeanMethods = false)
  @FluxServer.WithWebFlux
  @Import({Results.class, Retrying.class, Impatient.class})
  static class App {
    @Bean
    Weir weir() {
      return Weir.builder().policySource(new Recorder()).build();
    }
  }

  /** Adds no policy, and records the endpoints of requests that have ended. */
  private static final class Recorder implements PolicySource {
    @Override
    public CompletionStage<AppliedPolicies> policies(
        RequestInfo request, CallerTier tier, DecisionPhase phase, List<Policy> bound) {
      if (request.headers("Impatient").contains(phase.name())) {
        QUESTIONS.add(request.endpoint());
        ASKED.get(phase).complete(null);
        return LATE.get(phase);
      }
      return CompletableFuture.completedFuture(AppliedPolicies.none());
    }

    @Override
    public void completed(RequestInfo request, Decision decision) {
      ENDED.add(request.endpoint());
    }
  }

  /** Subscribes up to three times to the rest of the chain. */
  @Order(-50)
  static class Retrying implements WebFilter {
    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
      return exchange.getRequest().getPath().value().equals("/retried")
          ? chain.filter(exchange).retry(2)
          : chain.filter(exchange);
    }
  }

  /** Gives up waiting for the decision, and subscribes again. */
  @Order(-200)
  static class Impatient implements WebFilter {
    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
      Mono<Void> rest = chain.filter(exchange);
      String phase = exchange.getRequest().getHeaders().getFirst("Impatient");
      if (phase == null) {
        return rest;
      }
      DecisionPhase late = DecisionPhase.valueOf(phase);
      return Mono.firstWithSignal(rest, Mono.fromFuture(ASKED.get(late)))
          .then(
              Mono.when(
                  rest, Mono.fromRunnable(() -> LATE.get(late).complete(AppliedPolicies.none()))));
    }
  }

  @RestController
  static class Results {
    @GetMapping("/impatient")
    @RateLimit(limit = 1, window = 600, by = By.IP, name = "impatient")
    Mono<String> impatient() {
      return Mono.just("impatient");
    }

    @GetMapping("/impatient-user")
    @RateLimit(limit = 3, window = 600, by = By.USER, name = "impatient-user")
    Mono<String> impatientUser() {
      return Mono.just("impatient");
    }

    private final AtomicInteger runs = new AtomicInteger();

    @GetMapping("/failing/{kind}")
    @RateLimit(limit = 1, window = 60, by = By.KEY, key = "path:kind", count = Count.FAILURES)
    Object failing(@PathVariable String kind) {
      return switch (kind) {
        case "mono" -> Mono.just("mono").delayElement(Duration.ofMillis(1));
        case "flux" ->
            Flux.range(0, 5).delayElements(Duration.ofMillis(1)).map(each -> each + "\n");
        case "empty" -> Mono.empty();
        case "entity" -> Mono.just(ResponseEntity.noContent().build());
        case "bytes" -> new ByteArrayResource(new byte[100_000]);
        default -> throw new IllegalArgumentException(kind);
      };
    }

    @GetMapping("/cleared/{user}")
    @RateLimit(
        limit = 2,
        window = 60,
        by = By.KEY,
        key = "path:user",
        count = Count.FAILURES,
        clearOn = ClearOn.SUCCESS,
        name = "cleared")
    Mono<ResponseEntity<String>> cleared(@RequestParam("status") int status) {
      return Mono.just(ResponseEntity.status(status).body("answer"));
    }

    @GetMapping("/file")
    @RateLimit(limit = 1, window = 60, by = By.IP, count = Count.FAILURES, name = "file")
    Resource file() {
      return new ClassPathResource("io/weir/spring/webflux/WebFluxResultsTest.class");
    }

    @GetMapping(path = "/events", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    @RateLimit(limit = 1, window = 600, by = By.IP, count = Count.SUCCESSES, name = "events")
    Flux<ServerSentEvent<String>> events() {
      return Flux.interval(Duration.ofMillis(5))
          .onBackpressureDrop()
          .map(each -> ServerSentEvent.builder("e").build());
    }

    @GetMapping("/events/{count}")
    @RateLimit(limit = 1, window = 600, by = By.IP, count = Count.FAILURES, name = "some-events")
    Flux<ServerSentEvent<String>> events(@PathVariable int count) {
      return Flux.range(0, count).map(each -> ServerSentEvent.builder("e" + each).build());
    }

    @GetMapping("/broken")
    @RateLimit(limit = 1, window = 600, by = By.IP, count = Count.FAILURES, name = "broken")
    Flux<String> broken() {
      return Flux.just("x".repeat(100_000))
          .concatWith(Mono.delay(Duration.ofMillis(50)).then(Mono.empty()))
          .concatWith(Mono.error(new IllegalStateException("on purpose")));
    }

    @GetMapping("/retried")
    @RateLimit(limit = 2, window = 600, by = By.IP, name = "retried")
    Mono<String> retried() {
      return runs.incrementAndGet() % 3 == 0
          ? Mono.just("retried")
          : Mono.error(new IllegalStateException("on purpose"));
    }
  }

  private static long ended(String endpoint) {
    return ENDED.stream().filter(endpoint::equals).count();
  }

  @Test
  void givesBackBeforeTheCallerHasReadTheResponse() throws Exception {
    for (String kind : List.of("mono", "flux", "empty", "entity", "bytes")) {
      for (int i = 0; i < 20; i++) {
        assertTrue(server.get("/failing/" + kind).statusCode() < 300, kind);
      }
    }
    // Files follow only bytes and files: Reactor Netty before 1.3.8 may never send one that follows
    // a
    // streamed or empty response on the same connection, without Weir too.
    for (int i = 0; i < 20; i++) {
      assertEquals(200, server.get("/file").statusCode());
    }
    for (int i = 0; i < 20; i++) {
      assertEquals(200, server.get("/events/3").statusCode());
    }
    assertEquals(100, ended("/failing/{kind}"));
    assertEquals(20, ended("/file"));
    assertEquals(20, ended("/events/{count}"));
  }

  @Test
  void aSuccessClearsTheFailuresBeforeItAndARedirectOrHeadDoesNot() throws Exception {
    List<Integer> statuses = new ArrayList<>();
    for (int status : new int[] {401, 200, 401, 302}) {
      statuses.add(server.get("/cleared/alice?status=" + status).statusCode());
    }
    assertEquals(200, server.send("HEAD", "/cleared/alice?status=200").statusCode());
    statuses.add(server.get("/cleared/alice?status=401").statusCode());
    statuses.add(server.get("/cleared/alice?status=200").statusCode());
    assertEquals(List.of(401, 200, 401, 302, 401, 429), statuses);
  }

  @Test
  void endsOnceWhenTheCallerLeavesAStream() throws Exception {
    try (Socket caller = opened("/events")) {
      readUntil(caller, "data:e");
      assertEquals(429, server.get("/events").statusCode());
      assertEquals(1, ended("/events"), "the refused one");
    }
    Waiting.until("given back", () -> ended("/events") == 2);
    try (Socket caller = opened("/events")) {
      readUntil(caller, "data:e");
    }
    Waiting.until("ended", () -> ended("/events") == 3);
  }

  @Test
  void countsAResponseThatBreaksOffAsFailure() throws Exception {
    assertThrows(IOException.class, () -> server.get("/broken"));
    Waiting.until("ended", () -> ended("/broken") == 1);
    assertEquals(429, server.get("/broken").statusCode());
  }

  @Test
  void countsARequestOnceHoweverOftenItIsTried() throws Exception {
    assertEquals("retried", server.get("/retried").body());
    assertEquals("0", remaining(server.get("/retried")));
    assertEquals(429, server.get("/retried").statusCode());
    assertEquals(3, ended("/retried"));
  }

  @Test
  void oneWhoSubscribesAgainWaitsForTheSameDecision() throws Exception {
    assertEquals(200, server.get("/impatient").statusCode());
    String[] impatient = {"Impatient", DecisionPhase.BEFORE_AUTHENTICATION.name()};
    assertEquals(429, server.get("/impatient", impatient).statusCode());
  }

  @Test
  void oneWhoSubscribesAgainWaitsForTheSameDecisionByUser() throws Exception {
    String[] impatient = {"Impatient", DecisionPhase.AFTER_AUTHENTICATION.name()};
    assertEquals("2", remaining(server.get("/impatient-user", impatient)));
    assertEquals("1", remaining(server.get("/impatient-user")));
    assertEquals(1, QUESTIONS.stream().filter("/impatient-user"::equals).count());
  }

  private static String remaining(HttpResponse<String> response) {
    return response.headers().firstValue("X-RateLimit-Remaining").orElse("");
  }

  private static Socket opened(String path) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
    socket
        .getOutputStream()
        .write(
            ("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  private static void readUntil(Socket socket, String text) throws IOException {
    socket.setSoTimeout(60_000);
    InputStream in = socket.getInputStream();
    StringBuilder read = new StringBuilder();
    while (read.indexOf(text) < 0) {
      int next = next(in, read);
      assertTrue(next >= 0, () -> "ended after " + read);
      read.append((char) next);
    }
  }

  private static int next(InputStream in, StringBuilder read) throws IOException {
    try {
      return in.read();
    } catch (SocketTimeoutException never) {
      throw new IOException("nothing came after " + read, never);
    }
  }
}
