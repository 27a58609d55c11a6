package io.weir.spring.webflux;

import static io.weir.bodies.HostileBody.FORM;
import static io.weir.bodies.HostileBody.JSON;
import static io.weir.bodies.HostileBody.MULTIPART;
import static io.weir.bodies.HostileBody.PART;
import static io.weir.bodies.HostileBody.UPLOAD;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.util.ResourceLeakDetector;
import io.weir.Weir;
import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.bodies.HostileBody;
import io.weir.bodies.UnreadBody;
import io.weir.rules.Rule;
import io.weir.rules.Rules;
import io.weir.seeds.Seeds;
import io.weir.spi.RequestCondition;
import io.weir.spi.RequestInfo;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.core.io.buffer.NettyDataBuffer;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.codec.ServerCodecConfigurer;
import org.springframework.http.codec.multipart.DefaultPartHttpMessageReader;
import org.springframework.http.codec.multipart.MultipartHttpMessageReader;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.config.WebFluxConfigurer;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** Tests policies that read the body of a request before a handler of WebFlux does. */
@EnabledIf("io.weir.spring.BootOfToday#isHere")
class WebFluxBodyTest {
  private static final Map<String, Object> CHANGED = new ConcurrentHashMap<>();
  private static final Queue<ByteBuf> BUFFERS = new ConcurrentLinkedQueue<>();
  private static final Watch WATCH = new Watch();
  private static final DefaultPartHttpMessageReader PARTS = new DefaultPartHttpMessageReader();
  private static final AtomicInteger CANCELLED = new AtomicInteger();
  private static final Sinks.Empty<Void> ANSWERED = Sinks.empty();
  private static ResourceLeakDetector.Level level;
  @TempDir static Path files;
  private static FluxServer server;
  private static int callers;

  @BeforeAll
  static void start() throws IOException {
    PARTS.setMaxInMemorySize(1_000);
    PARTS.setFileStorageDirectory(files);
    level = ResourceLeakDetector.getLevel();
    ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
    server =
        FluxServer.start(
            App.class,
            "weir.proxy.trusted=127.0.0.1",
            "weir.rules=jdbc:h2:mem:bodies;DB_CLOSE_DELAY=-1",
            "weir.policy.urls.url=/urls/*",
            "weir.policy.urls.limit=3",
            "weir.policy.urls.window=1m",
            "weir.policy.urls.by=KEY,IP",
            "weir.policy.urls.key=form:user|json:/user");
    server
        .context()
        .getEnvironment()
        .getPropertySources()
        .addFirst(new MapPropertySource("changed", CHANGED));
  }

  @AfterAll
  static void stop() {
    server.close();
    ResourceLeakDetector.setLevel(level);
  }

  @AfterEach
  void settingsAsBefore() {
    CHANGED.clear();
    weir().refresh();
  }

  private static Weir weir() {
    return server.context().getBean(Weir.class);
  }

  private static void set(String name, String value) {
    CHANGED.put(name, value);
    weir().refresh();
  }

  @Configuration(proxyBeanMethods = false)
  @FluxServer.WithWebFlux
  @Import({
    FluxBodies.class,
    FluxBodies.Login.class,
    Watched.class,
    Phases.class,
    WebFluxRefusedCallsTest.Shop.class,
    Buying.class,
    Buffers.class,
    Early.class,
    Between.class
  })
  static class App implements WebFluxConfigurer {
    @Bean
    RequestCondition watch() {
      return WATCH;
    }

    @Override
    public void configureHttpMessageCodecs(ServerCodecConfigurer codecs) {
      codecs.defaultCodecs().multipartReader(new MultipartHttpMessageReader(PARTS));
    }
  }

  /** Notes what a policy reads. */
  static final class Watch implements RequestCondition {
    private final AtomicInteger asked = new AtomicInteger();
    private volatile Optional<String> form = Optional.empty();
    private volatile Optional<String> json = Optional.empty();

    @Override
    public boolean test(RequestInfo request) {
      asked.incrementAndGet();
      form = request.form("user");
      json = request.json("/user");
      return true;
    }

    @Override
    public boolean needsBody() {
      return true;
    }
  }

  @RestController
  static class Watched {
    @PostMapping("/watched")
    @RateLimit(limit = 1_000_000, window = 60, when = "watch")
    String watched() {
      return "";
    }

    @PostMapping("/files")
    @RateLimit(limit = 1_000_000, window = 60, when = "watch")
    Mono<String> files(ServerWebExchange exchange) {
      return exchange.getMultipartData().map(parts -> String.valueOf(countFiles()));
    }

    @PostMapping("/users-files")
    @RateLimit(limit = 1_000_000, window = 60, by = By.USER, when = "watch")
    Mono<String> filesOfUsers(ServerWebExchange exchange) {
      return files(exchange);
    }
  }

  /** Reads bodies in shadow mode first, then for a policy that refuses. */
  @RestController
  @RequestMapping("/phases")
  @RateLimit(limit = 9, window = 60, by = By.KEY, key = "form:user", name = "early", shadow = true)
  @RateLimit(
      limit = 9,
      window = 60,
      by = {By.USER, By.KEY},
      key = "form:user|json:/user",
      name = "late")
  static class Phases extends FluxBodies.Ways {}

  /** Calls a limited method once the body has come. */
  @RestController
  static class Buying {
    private final WebFluxRefusedCallsTest.Shop shop;

    Buying(WebFluxRefusedCallsTest.Shop shop) {
      this.shop = shop;
    }

    @PostMapping("/buy")
    @RateLimit(limit = 1_000_000, window = 60, by = By.USER, when = "watch")
    String buy(@RequestBody String body) {
      return shop.buy();
    }
  }

  /** Keeps an eye on the buffers of bodies, and ends some exchanges early. */
  @Order(Ordered.HIGHEST_PRECEDENCE)
  static class Buffers implements WebFilter {
    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
      ServerHttpRequest request =
          new ServerHttpRequestDecorator(exchange.getRequest()) {
            @Override
            public Flux<DataBuffer> getBody() {
              return super.getBody()
                  .doOnNext(each -> BUFFERS.add(((NettyDataBuffer) each).getNativeBuffer()))
                  .doOnCancel(CANCELLED::incrementAndGet);
            }
          };
      Mono<Void> handled = chain.filter(exchange.mutate().request(request).build());
      return request.getHeaders().getFirst("X-Impatient") == null
          ? handled
          : handled.timeout(
              Duration.ofMillis(100),
              ANSWERED.asMono().then(Mono.defer(() -> timedOut(exchange.getResponse()))));
    }

    private static Mono<Void> timedOut(ServerHttpResponse response) {
      response.setStatusCode(HttpStatus.GATEWAY_TIMEOUT);
      return response.setComplete();
    }
  }

  /** Reads a body before Weir does. */
  @Order(-1000)
  static class Early implements WebFilter {
    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
      String early = exchange.getRequest().getHeaders().getFirst("X-Early");
      Mono<?> read =
          early == null
              ? Mono.empty()
              : switch (early) {
                case "form" -> exchange.getFormData();
                case "parts" -> exchange.getMultipartData();
                default ->
                    exchange.getRequest().getBody().doOnNext(DataBufferUtils::release).then();
              };
      return read.then(chain.filter(exchange));
    }
  }

  /** Signs in, and replaces some bodies behind the first of Weir's filters. */
  @Order(0)
  static class Between implements WebFilter {
    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
      HttpHeaders headers = exchange.getRequest().getHeaders();
      String name = headers.getFirst("X-User");
      ServerWebExchange signedIn =
          name == null ? exchange : exchange.mutate().principal(Mono.just(() -> name)).build();
      String other = headers.getFirst("X-Replaced");
      return chain.filter(other == null ? signedIn : replaced(signedIn, other));
    }

    private static ServerWebExchange replaced(ServerWebExchange exchange, String body) {
      ServerHttpRequest request =
          new ServerHttpRequestDecorator(exchange.getRequest()) {
            @Override
            public Flux<DataBuffer> getBody() {
              byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
              return Flux.just(new DefaultDataBufferFactory().wrap(bytes));
            }
          };
      return exchange.mutate().request(request).build();
    }
  }

  /** A way to send an account. */
  record Way(String method, String path, String type, String body) {
    String of(String user) {
      return body.replace("%s", user);
    }
  }

  static Stream<Way> ways() {
    String form = "user=%s&text=a+%C3%A4%26b";
    String json = "{\"user\": \"%s\", \"text\": \"\\u00e4\"}";
    return Stream.of(
        new Way("POST", "/text", JSON, json),
        new Way("POST", "/account", JSON, json),
        new Way("POST", "/mono", JSON, json),
        new Way("POST", "/buffers", JSON, json),
        new Way("POST", "/model", FORM, form),
        new Way("POST", "/model", MULTIPART, UPLOAD),
        new Way("POST", "/raw", FORM, form),
        new Way("POST", "/raw", MULTIPART, UPLOAD),
        new Way("PUT", "/form", FORM, form),
        new Way("POST", "/parts", MULTIPART, UPLOAD),
        new Way("POST", "/upload", MULTIPART, UPLOAD));
  }

  private static BodyPublisher announced(String body) {
    return BodyPublishers.ofByteArray(body.getBytes(StandardCharsets.ISO_8859_1));
  }

  private static BodyPublisher chunked(String body) {
    byte[] bytes = body.getBytes(StandardCharsets.ISO_8859_1);
    return BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(bytes));
  }

  private static HttpResponse<String> post(String path, String type, String body, String... fields)
      throws Exception {
    return send("POST", path, type, announced(body), fields);
  }

  private static HttpResponse<String> send(
      String method, String path, String type, BodyPublisher body, String... fields)
      throws Exception {
    String[] all =
        Stream.concat(Stream.of(fields), Stream.of("Content-Type", type)).toArray(String[]::new);
    return server.send(method, path, body, all);
  }

  private static HttpResponse<String> send(String place, Way way, String user) throws Exception {
    return send(
        way.method(), place + way.path(), way.type(), announced(way.of(user)), "X-User", "reader");
  }

  private static int remaining(HttpResponse<String> answer) {
    String field = answer.headers().firstValue("RateLimit").orElse(answer.toString());
    return Integer.parseInt(field.replaceAll(".*;r=(\\d+).*", "$1"));
  }

  @ParameterizedTest
  @MethodSource("ways")
  void aHandlerReadsTheBodyAsIfNoPolicyHad(Way way) throws Exception {
    HttpResponse<String> plain = send("/plain", way, "ann");
    assertEquals(200, plain.statusCode(), plain::body);
    assertTrue(plain.body().contains("ann"), plain::body);
    for (String place : List.of("/bodies", "/users-bodies", "/urls")) {
      String user = "ann-" + callers++;
      for (int i = 0; i < 3; i++) {
        HttpResponse<String> limited = send(place, way, user);
        assertEquals(200, limited.statusCode(), limited::body);
        assertEquals(plain.body(), limited.body().replace(user, "ann"));
        assertEquals(2 - i, remaining(limited), place);
      }
      assertEquals(429, send(place, way, user).statusCode());
    }
  }

  @Test
  void anAccountIsOneBucketInAllItsSpellings() throws Exception {
    String zoe = "zo\u00c3\u00ab";
    assertEquals(2, remaining(post("/login/raw", FORM, "user=zo%C3%AB")));
    assertEquals(1, remaining(post("/login/raw", FORM, "text=&%75ser=ZOE%CC%88")));
    assertEquals(0, remaining(post("/login/raw", MULTIPART, PART.formatted("user", zoe))));
    String json = "{\"user\":\"" + zoe + "\"}";
    for (String each : List.of(json, "{\"US\\u0045R\":\"zoe\\u0308\"}")) {
      assertEquals(429, post("/login/raw", JSON, each).statusCode(), each);
    }
    String zipped = gzip(json);
    assertEquals(429, post("/login/raw", JSON, zipped, "Content-Encoding", "gzip").statusCode());
    assertEquals(429, send("POST", "/login/raw", JSON, chunked(json)).statusCode());
    assertEquals(429, post("/login/raw?user=" + "zo%C3%AB", FORM, "text=").statusCode());
    String named = MULTIPART + "; charset=ISO-8859-1"; // by which only some readers go
    assertEquals(400, post("/login/raw", named, PART.formatted("user", zoe)).statusCode());
    String unquoted = PART.formatted("user", zoe).replace("\"", "");
    assertEquals(429, post("/login/raw", MULTIPART, unquoted).statusCode());
    assertTrue(post("/plain/parts", MULTIPART, unquoted).body().contains("user||zo"));
    String latin = FORM + ";charset=ISO-8859-1";
    assertEquals(429, post("/login/raw", latin, "user=zo%EB").statusCode());
  }

  private static String gzip(String text) throws IOException {
    ByteArrayOutputStream zipped = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(zipped)) {
      out.write(text.getBytes(StandardCharsets.ISO_8859_1));
    }
    return zipped.toString(StandardCharsets.ISO_8859_1);
  }

  @Test
  void aRouteCountsByTheBody() throws Exception {
    String json = "{\"user\": \"routed\", \"text\": \"t\"}";
    for (int i = 0; i < 2; i++) {
      assertEquals("routed|t", post("/routed/account", JSON, json).body());
    }
    assertEquals("{user=[routed]}", post("/routed/form", FORM, "user=routed").body());
    assertEquals(429, post("/routed/account", JSON, json).statusCode());
    assertEquals(400, post("/routed/account", JSON, "{\"user\": [1]}").statusCode());
  }

  @Test
  void aPolicyOfUrlsCountsByTheBodyWhereNoHandlerIs() throws Exception {
    for (int i = 0; i < 3; i++) {
      assertEquals(404, post("/urls/none", FORM, "user=ann").statusCode());
    }
    assertEquals(429, post("/urls/none", FORM, "user=%61nn").statusCode());
    assertEquals(400, post("/urls/none", FORM, "user=a&user=b").statusCode());
  }

  @Test
  void whatCanBeReadInSeveralWaysIsRefusedAndChargedNowhere() throws Exception {
    String caller = "192.0.2.1";
    for (HostileBody each : HostileBody.unreadable()) {
      for (String place : List.of("/login", "/users-bodies")) {
        assertRefused(400, post(place + "/raw", each.type(), each.body(), from(caller)));
      }
    }
    assertRefused(400, post("/login/raw?user=a", FORM, "user=a", from(caller)));
    for (String each : List.of("br", "gzip")) {
      String[] coded = with(from(caller), "Content-Encoding", each);
      assertRefused(400, post("/login/raw", JSON, "\u001f\u008b{\"user\":\"a\"}", coded));
    }
    String tooLong = "user=a&b=" + "c".repeat(65_536);
    for (BodyPublisher each : List.of(announced(tooLong), chunked(tooLong))) {
      assertRefused(413, send("POST", "/login/raw", FORM, each, from(caller)));
    }
    assertEquals(2, remaining(post("/login/raw", FORM, "user=a", from(caller))));
    assertEquals(4, remaining(post("/login/raw", FORM, "b=c", from(caller))));
  }

  private static void assertRefused(int status, HttpResponse<String> refused) {
    assertEquals(status, refused.statusCode(), refused::body);
    assertEquals(
        "application/problem+json", refused.headers().firstValue("Content-Type").orElse(""));
    assertEquals(Optional.empty(), refused.headers().firstValue("RateLimit"));
  }

  private static String[] from(String address) {
    return new String[] {"X-Forwarded-For", address, "X-User", "somebody"};
  }

  private static String[] with(String[] fields, String... more) {
    return Stream.concat(Stream.of(fields), Stream.of(more)).toArray(String[]::new);
  }

  @Test
  void policiesWithoutABodyDecideFirstAndAreRefunded() throws Exception {
    String[] caller = from("192.0.2.2");
    for (int i = 0; i < 3; i++) {
      assertEquals(200, post("/login/raw", FORM, "user=a", caller).statusCode());
    }
    for (int i = 0; i < 5; i++) {
      HttpResponse<String> refused = post("/login/raw", FORM, "user=a", caller);
      assertEquals(429, refused.statusCode());
      assertTrue(refused.body().contains("account"), refused::body);
    }
    for (int i = 0; i < 3; i++) {
      assertEquals(200, post("/login/raw", FORM, "user=b", caller).statusCode());
    }
    // Refused before the body is read: it never comes.
    try (Socket socket = connect()) {
      begin(socket, "/login/raw", "X-Forwarded-For: 192.0.2.2", "");
      assertEquals("429", status(socket));
    }
  }

  private static Socket connect() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
    socket.setSoTimeout(120_000);
    return socket;
  }

  /** Sends the head of a request that announces a form of 1,000 bytes, and the first of these. */
  private static void begin(Socket socket, String path, String field, String bytes)
      throws IOException {
    String head =
        "POST "
            + path
            + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\nContent-Type: "
            + FORM
            + "\r\n"
            + field
            + "\r\n\r\n";
    socket.getOutputStream().write((head + bytes).getBytes(StandardCharsets.ISO_8859_1));
  }

  private static String status(Socket socket) throws IOException {
    byte[] start = socket.getInputStream().readNBytes("HTTP/1.1 200".length());
    return new String(start, StandardCharsets.ISO_8859_1).replace("HTTP/1.1 ", "");
  }

  @Test
  void aClientThatWaitsToContinueIsAskedForTheBody() throws Exception {
    try (Socket socket = connect()) {
      begin(socket, "/login/raw", "Expect: 100-continue\r\nX-Forwarded-For: 192.0.2.3", "");
      assertEquals("100", status(socket));
      String body = "user=" + "a".repeat(995);
      socket.getOutputStream().write(body.getBytes(StandardCharsets.ISO_8859_1));
      String rest = readUntil(socket, body);
      assertTrue(rest.contains("HTTP/1.1 200"), rest);
    }
  }

  private static String readUntil(Socket socket, String end) throws IOException {
    StringBuilder read = new StringBuilder();
    while (read.indexOf(end) < 0) {
      int next = socket.getInputStream().read();
      assertTrue(next >= 0, read::toString);
      read.append((char) next);
    }
    return read.toString();
  }

  @Test
  void aBodyThatNeverEndsIsGivenUp() throws Exception {
    set("weir.body.timeout", "300ms");
    try (Socket silent = connect();
        Socket slow = connect()) {
      begin(silent, "/login/raw", "X-Forwarded-For: 192.0.2.4", "user=");
      begin(slow, "/login/raw", "X-Forwarded-For: 192.0.2.5", "user=");
      OutputStream out = slow.getOutputStream();
      for (int i = 0; i < 990 && slow.getInputStream().available() == 0; i++) {
        out.write('a');
        out.flush();
        Thread.sleep(5);
      }
      assertEquals("408", status(slow));
      assertEquals("408", status(silent));
    }
    assertReleased();
  }

  private static void assertReleased() throws Exception {
    Waiting.until(
        "all buffers released", () -> BUFFERS.stream().allMatch(each -> each.refCnt() == 0));
  }

  @Test
  void oneAddressHasATenthOfAllBodiesThatAreReadAtOnce() throws Exception {
    set("weir.body.at-once", "10");
    set("weir.body.timeout", "1m");
    String[] caller = from("192.0.2.6");
    try (Socket slow = connect()) {
      int before = BUFFERS.size();
      begin(slow, "/bodies/raw", "X-Forwarded-For: 192.0.2.6", "user=");
      Waiting.until("the body is read", () -> BUFFERS.size() > before);
      assertRefused(503, post("/bodies/raw", FORM, "user=b", caller));
      assertEquals(200, post("/bodies/raw", FORM, "user=c", from("192.0.2.7")).statusCode());
    }
    // Once the client has gone, so has its body.
    Waiting.until(
        "a body is read again",
        () -> post("/bodies/raw", FORM, "user=" + callers++, caller).statusCode() == 200);
    assertReleased();
  }

  /** Its response is still to come: nothing but the cancellation ends the body. */
  @Test
  void anExchangeThatIsCancelledReadsNoFurther() throws Exception {
    set("weir.body.at-once", "10");
    set("weir.body.timeout", "1m");
    String[] caller = from("192.0.2.8");
    try (Socket slow = connect()) {
      int before = CANCELLED.get();
      begin(slow, "/bodies/raw", "X-Impatient: 1\r\nX-Forwarded-For: 192.0.2.8", "user=");
      Waiting.until("the body is cancelled", () -> CANCELLED.get() > before);
      Waiting.until(
          "another body is read",
          () -> post("/bodies/raw", FORM, "user=" + callers++, caller).statusCode() == 200);
      ANSWERED.tryEmitEmpty().orThrow();
      assertEquals("504", status(slow));
    }
    assertReleased();
  }

  @Test
  void aSettingLetsUnreadableBodiesPassAsMissing() throws Exception {
    set("weir.body.unreadable", "missing");
    set("weir.policy.bodies.limit", "1000");
    set("weir.policy.users-bodies.limit", "1000");
    for (String place : List.of("/bodies", "/users-bodies")) {
      for (HostileBody each : HostileBody.unreadable()) {
        HttpResponse<String> passed =
            post(place + "/raw", each.type(), each.body(), "X-User", "somebody");
        assertEquals(200, passed.statusCode(), each::toString);
        assertEquals(each.body(), passed.body());
      }
      String tooLong = "user=a&z=" + "z".repeat(80_000);
      for (BodyPublisher each : List.of(announced(tooLong), chunked(tooLong))) {
        HttpResponse<String> raw = send("POST", place + "/raw", FORM, each, "X-User", "somebody");
        assertEquals(tooLong, raw.body());
      }
      for (BodyPublisher each : List.of(announced(tooLong), chunked(tooLong))) {
        HttpResponse<String> form = send("PUT", place + "/form", FORM, each, "X-User", "somebody");
        assertEquals(200, form.statusCode());
        assertTrue(form.body().startsWith("{user=[a], z=[zzz"), form::body);
      }
    }
    assertReleased();
  }

  @Test
  void policiesThatRefuseAreStrictAlsoAfterThoseInShadowMode() throws Exception {
    String[] caller = from("192.0.2.16");
    for (HostileBody each : HostileBody.unreadable()) {
      int status = post("/phases/raw", each.type(), each.body(), caller).statusCode();
      assertEquals(400, status, each::toString);
    }
    String tooLong = "user=a&z=" + "z".repeat(80_000);
    for (BodyPublisher each : List.of(announced(tooLong), chunked(tooLong))) {
      assertEquals(413, send("POST", "/phases/raw", FORM, each, caller).statusCode());
    }
    for (int i = 0; i < 9; i++) {
      assertEquals(200, post("/phases/raw", FORM, "user=a", caller).statusCode());
    }
    assertEquals(429, post("/phases/raw", JSON, "{\"user\":\"a\"}", caller).statusCode());
    assertReleased();
  }

  @Test
  void aSlowBodyKeepsNoSlotForAPolicyInShadowMode() throws Exception {
    set("weir.body.at-once", "10");
    set("weir.body.timeout", "300ms");
    String[] caller = from("192.0.2.17");
    try (Socket slow = connect()) {
      int before = BUFFERS.size();
      begin(slow, "/phases/raw", "X-User: a\r\nX-Forwarded-For: 192.0.2.17", "user=");
      Waiting.until("the body is read", () -> BUFFERS.size() > before);
      Waiting.until(
          "its slot is free",
          () -> post("/bodies/raw", FORM, "user=" + callers++, caller).statusCode() == 200);
      write(slow, "a".repeat(995));
      assertEquals("200", status(slow));
    }
    assertReleased();
  }

  /** A part that is longer than WebFlux holds in memory is in a file until the exchange ends. */
  @Test
  void filesOfPartsAreRemoved() throws Exception {
    String upload = UPLOAD.replace("a\r\n", "a".repeat(10_000));
    for (String path : List.of("/files", "/users-files")) {
      assertEquals("1", post(path, MULTIPART, upload, from("192.0.2.15")).body());
      Waiting.until("all files removed", () -> countFiles() == 0);
    }
    assertReleased();
  }

  private static int countFiles() {
    return files.toFile().list().length;
  }

  /** Bytes that nobody reads are left to the server, which goes on with the connection. */
  @Test
  void aBodyThatIsTooLongForAPolicyNeedNotBeRead() throws Exception {
    set("weir.body.unreadable", "missing");
    set("weir.policy.bodies.limit", "1000");
    String tooLong = "user=a&z=" + "z".repeat(300_000);
    for (int i = 0; i < 3; i++) {
      assertEquals(200, send("POST", "/watched", FORM, chunked(tooLong)).statusCode());
      String some = send("POST", "/bodies/two", FORM, chunked(tooLong)).body();
      assertTrue(some.length() > 65_536 && tooLong.startsWith(some), some::toString);
    }
    assertReleased();
  }

  @Test
  void noConnectionIsClosedUnannouncedAfterARefusal() throws Exception {
    for (UnreadBody each : UnreadBody.values()) {
      for (String path : List.of("/bodies/raw", "/login/raw")) {
        String form = "X-Forwarded-For: 192.0.2.18\r\nContent-Type: " + FORM;
        assertEquals(413, each.post(server.port(), path, form), each.name());
      }
    }
    assertReleased();
  }

  @Test
  void aFilterThatHasReadTheFormBeforeLeavesItsFields() throws Exception {
    String[] early = with(from("192.0.2.9"), "X-Early", "form");
    String[] parts = with(from("192.0.2.9"), "X-Early", "parts");
    for (String place : List.of("/bodies", "/users-bodies")) {
      assertEquals("{user=[ann]}", put(place, "user=ann", early).body());
      assertEquals(1, remaining(put(place, "us%65r=ann", early)));
      HttpResponse<String> part =
          post(place + "/parts", MULTIPART, UPLOAD.replace("%s", "ann"), parts);
      assertEquals(0, remaining(part));
      assertTrue(part.body().contains("user||ann"), part::body);
      assertEquals(429, put(place, "user=ann", early).statusCode());
      assertRefused(400, put(place, "user=ann&user=bob", early));
      assertRefused(400, send("PUT", place + "/form?user=bob", FORM, announced("user=ann"), early));
      String[] taken = with(from("192.0.2.9"), "X-Early", "body");
      assertRefused(400, put(place, "user=ann", taken));
      HttpResponse<String> json = post(place + "/text", JSON, "{\"user\": \"ann\"}", taken);
      assertRefused(400, json);
      assertTrue(json.body().contains("has read it before its limits"), json::body);
    }
  }

  private static HttpResponse<String> put(String place, String form, String... fields)
      throws Exception {
    return send("PUT", place + "/form", FORM, announced(form), fields);
  }

  /** A policy that needs the user reads what the handler reads. */
  @Test
  void aFilterBehindTheFirstMayReplaceTheBody() throws Exception {
    String replaced = "{\"user\": \"other\", \"text\": \"t\"}";
    String[] fields = with(from("192.0.2.10"), "X-Replaced", replaced);
    for (int i = 0; i < 3; i++) {
      String sent = "{\"user\": \"" + i + "\"}";
      assertEquals("other|t", post("/users-bodies/account", JSON, sent, fields).body());
      assertEquals("other|t", post("/bodies/account", JSON, sent, fields).body());
    }
    assertEquals(429, post("/users-bodies/account", JSON, "{}", fields).statusCode());
    assertEquals(200, post("/bodies/account", JSON, "{}", fields).statusCode());
  }

  @Test
  void aBodyThatNoPolicyWantsIsNotTouched() throws Exception {
    try (Socket socket = connect()) {
      begin(socket, "/plain/first", "X-Forwarded-For: 192.0.2.11", "user=");
      readUntil(socket, "HTTP/1.1 200");
      readUntil(socket, "user=");
    }
  }

  /** The rest of a long body comes once the handler waits for it. */
  @Test
  void aLimitedCallKnowsItsRequestOnceTheBodyHasCome() throws Exception {
    set("weir.body.unreadable", "missing");
    for (int i = 12; i < 15; i++) {
      assertEquals("200", buy("192.0.2." + i));
      assertEquals("429", buy("192.0.2." + i));
    }
  }

  private static String buy(String address) throws Exception {
    try (Socket socket = connect()) {
      String head =
          "POST /buy HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nX-User: a\r\n"
              + "Content-Type: application/json\r\nX-Forwarded-For: "
              + address
              + "\r\n\r\n";
      int before = WATCH.asked.get();
      write(socket, head + "11170\r\n" + "a".repeat(70_000) + "\r\n");
      Waiting.until("the policy is decided", () -> WATCH.asked.get() > before);
      post("/plain/raw", FORM, "meanwhile=");
      write(socket, "1\r\na\r\n0\r\n\r\n");
      return status(socket);
    }
  }

  private static void write(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  /** A policy reads what WebFlux or Jackson reads from the same bytes. */
  @Test
  void policiesReadWhatTheApplicationReads() throws Exception {
    long seed = Seeds.first();
    Random random = new Random(seed);
    for (int i = 0; i < Seeds.times(150); i++) {
      String form = HostileBody.form(random);
      if (post("/watched", FORM, form).statusCode() == 200) {
        HttpResponse<String> read = post("/plain/user", FORM, form);
        if (read.statusCode() == 200) {
          String known = WATCH.form.map(each -> "1:" + each).orElse("none");
          assertEquals(known, utf8(read.body()), () -> "seed " + seed + ": " + form);
        }
      }
    }
    for (int i = 0; i < Seeds.times(300); i++) {
      String json = HostileBody.json(random);
      if (post("/watched", JSON, json).statusCode() == 200) {
        HttpResponse<String> read = post("/plain/account", JSON, json);
        if (read.statusCode() == 200 && !read.body().startsWith("null|")) {
          String known = WATCH.json.orElse("") + "|";
          String text = utf8(read.body());
          assertTrue(text.startsWith(known), () -> "seed " + seed + ": " + json + " " + text);
        }
      }
    }
    assertReleased();
  }

  @Test
  void aRuleCountsByTheBodyToo() throws Exception {
    Rules rules = Rules.of(weir()).orElseThrow();
    Rule rule =
        rules
            .rules()
            .save(
                Rule.builder(Rule.EVERYBODY, "/plain/account")
                    .limit(2)
                    .countBy(List.of("lower:json:/user"))
                    .build(),
                "test");
    rules.refresh();
    try {
      for (String each : List.of("rule", "RULE")) {
        String json = "{\"user\": \"" + each + "\"}";
        assertEquals(each + "|null", post("/plain/account", JSON, json).body());
      }
      assertEquals(429, post("/plain/account", JSON, "{\"User\": \"Rule\"}").statusCode());
      assertEquals(400, post("/plain/account", JSON, "{").statusCode());
      assertEquals(200, post("/plain/account", JSON, "{\"user\": \"other\"}").statusCode());
    } finally {
      rules.rules().delete(rule.id(), rule.version(), "test");
      rules.refresh();
    }
    assertReleased();
  }

  private static String utf8(String bytes) {
    return new String(bytes.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
  }
}
