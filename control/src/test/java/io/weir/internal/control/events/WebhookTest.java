package io.weir.internal.control.events;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import io.weir.RegionStatus;
import io.weir.Ticker;
import io.weir.access.AccessEntry;
import io.weir.access.AccessSubject;
import io.weir.internal.control.settings.ControlSettings;
import io.weir.rules.AccessListRow;
import io.weir.rules.Rule;
import io.weir.rules.Rules;
import io.weir.seeds.OneDayIn;
import io.weir.spi.AccessListSource;
import io.weir.test.log.BrokenLogger;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The webhook delivers what needs an administrator. */
@OneDayIn(2)
class WebhookTest {
  private static final String SECRET = "of both";
  private static final long PATIENCE_SECONDS = 120;
  private static final Duration PATIENCE = Duration.ofSeconds(PATIENCE_SECONDS);

  /** A request that arrived. */
  private record Delivery(String signature, String body) {}

  private final BlockingQueue<Delivery> delivered = new LinkedBlockingQueue<>();
  private final AtomicInteger failures = new AtomicInteger();
  private final AtomicBoolean isOpen = new AtomicBoolean(true);
  private final AtomicBoolean isAway = new AtomicBoolean();
  private volatile List<RegionStatus> regions = List.of();
  private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
  private final List<Socket> stalled = new CopyOnWriteArrayList<>();
  private HttpServer receiver;
  private Rules rules;
  private EventHub hub;

  @BeforeEach
  void start() throws IOException {
    receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    receiver.createContext(
        "/told",
        exchange -> {
          byte[] body = exchange.getRequestBody().readAllBytes();
          String signature = exchange.getRequestHeaders().getFirst("X-Weir-Signature");
          boolean fails = failures.getAndDecrement() > 0;
          if (!fails) {
            delivered.add(new Delivery(signature, new String(body, StandardCharsets.UTF_8)));
          }
          exchange.sendResponseHeaders(fails ? 500 : 204, -1);
          exchange.close();
        });
    receiver.start();
    JdbcDataSource database = new JdbcDataSource();
    database.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
    rules = Rules.builder(database).build();
    for (String tier : new String[] {"free", "gold"}) {
      rules.rules().save(Rule.builder(tier, "/api/*").limit(10).build(), "root");
    }
    hub = new EventHub(rules, isAway::get, () -> regions, Ticker.system());
    failures.set(0);
    URI address = URI.create("http://127.0.0.1:" + receiver.getAddress().getPort() + "/told");
    new Webhook(address, SECRET, PATIENCE, Duration.ofMillis(10), () -> true, Ticker.system())
        .start(hub, isOpen::get);
  }

  @AfterEach
  void stop() {
    isOpen.set(false);
    rules.close();
    receiver.stop(0);
  }

  private Delivery next() throws InterruptedException {
    Delivery next = delivered.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
    assertTrue(next != null, "nothing came");
    return next;
  }

  @Test
  void anUpgradeIsToldAndSigned() throws Exception {
    rules.upgrades().request("ann", "gold", "please");
    Delivery one = next();
    assertTrue(one.body().contains("\"type\":\"tier_upgrade_requests\""), one.body());
    assertTrue(one.body().contains("\"requested_tier\":\"gold\""), one.body());
    String time = one.signature().substring(2, one.signature().indexOf(','));
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(SECRET.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
    String expected =
        HexFormat.of()
            .formatHex(mac.doFinal((time + "." + one.body()).getBytes(StandardCharsets.UTF_8)));
    assertEquals("t=" + time + ",v1=" + expected, one.signature());
  }

  @Test
  void whatFailsIsTriedThreeTimes() throws Exception {
    failures.set(2);
    rules.upgrades().request("ann", "gold", "");
    next();
    failures.set(3);
    rules.upgrades().request("bob", "gold", "");
    rules.upgrades().request("cid", "gold", "");
    assertTrue(next().body().contains("cid"), "bob's is given up");
  }

  @Test
  void aLoggerThatThrowsSilencesNoLaterEvent() throws Exception {
    try (BrokenLogger unused = new BrokenLogger()) {
      failures.set(3);
      rules.upgrades().request("bob", "gold", "");
      rules.upgrades().request("cid", "gold", "");
      assertTrue(next().body().contains("cid"), "bob's is given up");
    }
  }

  @Test
  void theStoreAwayIsToldAndDecisionsAreNot() throws Exception {
    long id = rules.upgrades().request("ann", "gold", "").id();
    next();
    rules.upgrades().decline(id, "", "root");
    rules.rules().save(Rule.builder("free", "/b").limit(1).build(), "root");
    isAway.set(true);
    assertTrue(next().body().contains("store-away"));
    isAway.set(false);
    rules.upgrades().request("bob", "gold", "");
    assertTrue(next().body().contains("bob"));
  }

  @Test
  void aRegionThatIsCutOffIsToldOnceAndAgainTheNextTime() throws Exception {
    for (int cut = 0; cut < 2; cut++) {
      regions = regions(true);
      String told = next().body();
      assertTrue(told.contains("\"type\":\"region-away\""), told);
      assertTrue(told.contains("\"region\":\"us\""), told);
      assertTrue(told.contains("\"trouble\":\"connection refused\""), told);
      Subscription reader = hub.subscribe("eyes", 0).orElseThrow();
      regions = regions(false);
      StreamedEvent event = reader.next(PATIENCE).orElseThrow();
      while (!event.type().equals("region-back")) {
        assertEquals("outcomes", event.type());
        event = reader.next(PATIENCE).orElseThrow();
      }
      hub.unsubscribe(reader);
    }
    rules.upgrades().request("bob", "gold", "");
    assertTrue(next().body().contains("bob"));
  }

  private static List<RegionStatus> regions(boolean isCutOff) {
    RegionStatus us =
        new RegionStatus(
            "us",
            false,
            OptionalInt.empty(),
            Optional.of(Duration.ofSeconds(12)),
            Optional.empty(),
            0,
            0,
            isCutOff,
            isCutOff ? Optional.of("connection refused") : Optional.empty());
    return List.of(RegionStatus.ofShare("eu", true, 50), us);
  }

  @Test
  void bansAndChangesOfTheAccessListAreToldAndEntriesThatArePurgedAreNot() throws Exception {
    AccessListSource list = rules.policySource().accessList().orElseThrow();
    Instant end = Instant.parse("2099-01-01T00:00:00Z");
    for (int i = 0; i < 30; i++) {
      list.ban(AccessEntry.ban(AccessSubject.user("mallory" + i), end), "login");
    }
    int told = 0;
    while (told < 30) {
      String bans = next().body();
      assertTrue(bans.contains("\"type\":\"bans\""), bans);
      assertTrue(bans.contains("user:mallory"), bans);
      assertTrue(bans.split("isShadow", -1).length <= 21, bans);
      told += Integer.parseInt(bans.replaceAll("(?s).*\"count\":(\\d+).*", "$1"));
    }
    list.lift(AccessSubject.user("mallory7"));
    String lifted = next().body();
    assertTrue(lifted.contains("\"what\":\"deleted\""), lifted);
    assertTrue(lifted.contains("user:mallory7"), lifted);

    AccessListRow row =
        rules.accessEntries().save(AccessListRow.of(AccessEntry.parse("deny user:eve")), "root");
    assertTrue(next().body().contains("user:eve"));
    AccessListRow ended =
        rules
            .accessEntries()
            .save(row.with(row.entry().until(Instant.parse("2026-01-01T00:00:00Z"))), "root");
    assertTrue(next().body().contains("\"what\":\"changed\""));
    rules.accessEntries().delete(ended.id(), ended.version(), "purge");
    rules.upgrades().request("bob", "gold", "");
    assertTrue(next().body().contains("bob"));
  }

  /** Answers each connection with a head, and never with the body that it promises. */
  private void stall(ServerSocket server, String status) {
    while (!server.isClosed()) {
      try {
        Socket connection = server.accept();
        stalled.add(connection);
        heard.add(body(connection.getInputStream()));
        connection
            .getOutputStream()
            .write(("HTTP/1.1 " + status + "\r\nContent-Length: 9\r\n\r\nx").getBytes(US_ASCII));
      } catch (IOException closed) {
        // the sender has given up, or the test is over
      }
    }
  }

  /** Reads the body of a request, or what has come of it when its sender gave up. */
  private static String body(InputStream in) {
    StringBuilder head = new StringBuilder();
    try {
      for (int next = in.read(); next >= 0; next = in.read()) {
        head.append((char) next);
        if (head.indexOf("\r\n\r\n") >= 0) {
          String length = head.toString().replaceAll("(?is).*content-length: (\\d+).*", "$1");
          return new String(in.readNBytes(Integer.parseInt(length)), StandardCharsets.UTF_8);
        }
      }
    } catch (IOException reset) {
      // as if it had ended
    }
    return "";
  }

  @Test
  void aReceiverThatStallsInItsBodyIsToldOfWhatFollows() throws Exception {
    for (String status : List.of("200 OK", "500 No")) {
      try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
        Thread thread = new Thread(() -> stall(server, status));
        thread.start();
        EventHub events = new EventHub(rules, () -> false, List::of, Ticker.system());
        URI address = URI.create("http://127.0.0.1:" + server.getLocalPort() + "/");
        new Webhook(
                address,
                SECRET,
                Duration.ofMillis(200),
                Duration.ofMillis(10),
                () -> true,
                Ticker.system())
            .start(events, isOpen::get);
        rules.upgrades().request("ann " + status, "gold", "");
        rules.upgrades().request("bob " + status, "gold", "");
        List<String> both = new ArrayList<>();
        while (both.stream().noneMatch(each -> each.contains("bob " + status))) {
          both.add(String.valueOf(heard.poll(PATIENCE_SECONDS, TimeUnit.SECONDS)));
          assertFalse(both.contains("null"), () -> "nothing came after " + both);
        }
        boolean isRefused = status.startsWith("5");
        // What ended before its body had come was Ann's as well, since hers comes first.
        long tries = both.stream().filter(each -> !each.contains("bob ")).count();
        assertTrue(isRefused ? tries >= 3 : tries >= 1, () -> both + " for " + status);
      }
    }
    for (Socket each : stalled) {
      each.close();
    }
  }

  @Test
  void aHookWithoutSecretOrAddressIsAMistake() {
    for (Map<String, String> wrong :
        List.of(
            Map.of(ControlSettings.NOTIFY_URL.name(), "https://example.org"),
            Map.of(
                ControlSettings.NOTIFY_URL.name(),
                "file:///x",
                ControlSettings.NOTIFY_SECRET.name(),
                "s"),
            Map.of(
                ControlSettings.NOTIFY_URL.name(),
                "no address",
                ControlSettings.NOTIFY_SECRET.name(),
                "s"))) {
      assertThrows(IllegalArgumentException.class, () -> start(wrong));
    }
    start(Map.of());
  }

  private void start(Map<String, String> settings) {
    Webhook.start(
        name -> settings.getOrDefault(name, ""), hub, () -> true, () -> true, Ticker.system());
  }

  @Test
  void aSlowReaderIsDroppedAndMissesNothingIfItComesAgain() {
    Subscription slow = hub.subscribe("eyes", 0).orElseThrow();
    for (int i = 0; i < 700; i++) {
      rules.costs().save(new io.weir.rules.OperationCost(0, "/c" + i, "*", 2, 0), "root");
    }
    assertTrue(slow.isDropped());
    Subscription again = hub.subscribe("eyes", 600).orElseThrow();
    assertFalse(again.isDropped());
  }
}
