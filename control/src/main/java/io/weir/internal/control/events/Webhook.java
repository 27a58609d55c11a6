package io.weir.internal.control.events;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.Ticker;
import io.weir.internal.control.http.BoundedHttpClient;
import io.weir.internal.control.settings.ControlSettings;
import io.weir.internal.threads.DaemonThreadFactory;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Posts events that need an administrator to one address: a new request for another tier, an
 * anomaly, bans, a changed entry of the access list, a bad rule, an unreachable store, a region
 * that isn't heard of. Each request is signed with HMAC-SHA-256 over the time, a dot and the body,
 * and tried three times. Nothing waits for it: events that don't fit into the queue are dropped and
 * logged.
 *
 * <p>Of the nodes that share a database, one reports its changes. Each node reports its own store,
 * and regions that it doesn't hear of.
 *
 * <p>Safe for concurrent use.
 */
public final class Webhook {
  private static final Logger LOG = System.getLogger("io.weir");
  private static final Set<String> OF_EACH_NODE =
      Set.of(ControlEvent.STORE_AWAY, ControlEvent.REGION_AWAY);
  private static final int MAX_WAITING = 1_000;
  private static final int MAX_TRIES = 3;
  private static final int MAX_BYTES = 64 * 1024;
  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final Duration POLL = Duration.ofSeconds(1);
  private static final int FIRST_ERROR = 300;

  private final URI address;
  private final byte[] secret;
  private final Duration pause;
  private final BooleanSupplier isOnDuty;
  private final Ticker ticker;
  private final BlockingQueue<ControlEvent> waiting = new ArrayBlockingQueue<>(MAX_WAITING);
  private final BoundedHttpClient exchange;

  /**
   * Makes a webhook, which posts nothing until it is started.
   *
   * @param timeout of each try as a whole
   * @param pause after the first failed try; five times as long after the second
   */
  Webhook(
      URI address,
      String secret,
      Duration timeout,
      Duration pause,
      BooleanSupplier isOnDuty,
      Ticker ticker) {
    this.ticker = ticker;
    this.address = address;
    this.secret = secret.getBytes(StandardCharsets.UTF_8);
    this.exchange = new BoundedHttpClient(timeout, MAX_BYTES);
    this.pause = pause;
    this.isOnDuty = isOnDuty;
  }

  /**
   * Starts the webhook of {@code weir.notify.url}, if one is set.
   *
   * @param isOpen false ends the webhook
   * @throws IllegalArgumentException if the address is invalid, or the secret is missing
   */
  public static void start(
      UnaryOperator<String> settings,
      EventHub hub,
      BooleanSupplier isOnDuty,
      BooleanSupplier isOpen,
      Ticker ticker) {
    String url = ControlSettings.NOTIFY_URL.read(settings).strip();
    String secret = ControlSettings.NOTIFY_SECRET.read(settings);
    if (url.isEmpty()) {
      return;
    }
    if (secret.isBlank()) {
      throw new IllegalArgumentException(
          "weir.notify.url needs weir.notify.secret, which signs its requests");
    }
    new Webhook(address(url), secret, TIMEOUT, Duration.ofSeconds(1), isOnDuty, ticker)
        .start(hub, isOpen);
  }

  private static URI address(String url) {
    try {
      URI address = URI.create(url);
      if (address.getHost() != null
          && List.of("http", "https").contains(String.valueOf(address.getScheme()))) {
        return address;
      }
    } catch (IllegalArgumentException malformed) {
      // reported below
    }
    throw new IllegalArgumentException("weir.notify.url must be an http or https address");
  }

  void start(EventHub hub, BooleanSupplier isOpen) {
    hub.listen(this::accept);
    DaemonThreadFactory.named("weir-notify").newThread(() -> run(hub, isOpen)).start();
  }

  private void accept(ControlEvent event) {
    boolean isOurs = OF_EACH_NODE.contains(event.type()) || isOnDuty.getAsBoolean();
    if (isOurs && needsAttention(event) && !waiting.offer(event)) {
      LOG.log(
          Level.WARNING,
          "weir.notify.url: an event was dropped, since " + MAX_WAITING + " others are waiting");
    }
  }

  static boolean needsAttention(ControlEvent event) {
    Map<String, Object> data = event.data();
    boolean isNew = "added".equals(data.get("what"));
    JsonNode row = data.get("row") instanceof JsonNode node ? node : null;
    return switch (event.type()) {
      case ControlEvent.STORE_AWAY, ControlEvent.REGION_AWAY, ControlEvent.BANS -> true;
      case ControlEvent.ACCESS_LIST -> row == null || !isPurged(event, row);
      case ControlEvent.PROBLEM -> Boolean.FALSE.equals(data.get("isWarning"));
      case "tier_upgrade_requests" -> isNew;
      case "anomalies" -> isNew && row != null && !"ALLOW".equals(row.path("action").asText());
      default -> false;
    };
  }

  /** An entry is deleted by itself some time after its end, which is no news. */
  private static boolean isPurged(ControlEvent event, JsonNode row) {
    String end = row.path("valid_until").asText("");
    try {
      return "deleted".equals(event.data().get("what"))
          && !end.isEmpty()
          && OffsetDateTime.parse(end).toInstant().isBefore(event.at());
    } catch (DateTimeParseException unreadable) {
      return false;
    }
  }

  private void run(EventHub hub, BooleanSupplier isOpen) {
    try {
      while (isOpen.getAsBoolean()) {
        runOnce(hub);
      }
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  /** Survives whatever is thrown, even by a logger: later events must be delivered. */
  private void runOnce(EventHub hub) throws InterruptedException {
    try {
      hub.checkStores();
      ControlEvent next = waiting.poll(POLL.toMillis(), TimeUnit.MILLISECONDS);
      if (next != null) {
        deliver(next);
      }
    } catch (RuntimeException | Error mistake) {
      report(mistake);
    }
  }

  private static void report(Throwable mistake) {
    try {
      LOG.log(Level.ERROR, "weir.notify.url: an event couldn't be delivered", mistake);
    } catch (RuntimeException | Error broken) {
      // The logger itself: there is nowhere left to report it.
    }
  }

  private void deliver(ControlEvent event) throws InterruptedException {
    byte[] body = event.json();
    String trouble = "";
    for (int left = MAX_TRIES; left > 0; left--) {
      trouble = send(body);
      if (trouble.isEmpty()) {
        return;
      }
      if (left > 1) {
        Thread.sleep(left == MAX_TRIES ? pause.toMillis() : 5 * pause.toMillis());
      }
    }
    LOG.log(Level.WARNING, "weir.notify.url: an event couldn't be delivered: " + trouble);
  }

  /** Tries once; returns the failure, or an empty text. */
  private String send(byte[] body) throws InterruptedException {
    long now = ticker.instant().getEpochSecond();
    HttpRequest request =
        HttpRequest.newBuilder(address)
            .header("Content-Type", "application/json")
            .header("X-Weir-Signature", "t=" + now + ",v1=" + signature(now, body))
            .POST(HttpRequest.BodyPublishers.ofByteArray(body))
            .build();
    try {
      int status =
          exchange.send(request).status(); // once the head is here, the event has been delivered
      return status < FIRST_ERROR ? "" : "the response has status " + status;
    } catch (IOException failed) {
      return failed.toString();
    }
  }

  private String signature(long time, byte[] body) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(secret, "HmacSHA256"));
      mac.update((time + ".").getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(mac.doFinal(body));
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
