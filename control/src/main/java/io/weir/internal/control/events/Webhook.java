package io.weir.internal.control.events;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.internal.control.ControlSettings;
import io.weir.internal.control.http.BoundedHttpClient;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Tells one address of what administrators should know: an upgrade that waits, an unusual caller, a
 * bad rule, the store away. Signed with HMAC-SHA-256 over the time, a dot and the body. Tried three
 * times, and never waited for: what doesn't fit into the queue is dropped, and logged.
 *
 * <p>Of the nodes that share a database one tells of what is in it, and each of its own store.
 *
 * <p>Safe for concurrent use.
 */
public final class Webhook {
  private static final Logger LOG = System.getLogger("io.weir");
  private static final int MOST_WAITING = 1_000;
  private static final int TRIES = 3;
  private static final int MOST_BYTES = 64 * 1024;
  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final Duration LOOK = Duration.ofSeconds(1);
  private static final int FIRST_ERROR = 300;

  private final URI address;
  private final byte[] secret;
  private final Duration pause;
  private final BooleanSupplier isOnDuty;
  private final BlockingQueue<ControlEvent> waiting = new ArrayBlockingQueue<>(MOST_WAITING);
  private final BoundedHttpClient exchange;

  /**
   * Tells nobody until it is started.
   *
   * @param address where to
   * @param secret what is signed with
   * @param timeout of each try, whatever stalls
   * @param pause after the first try that failed; after the next one five times as long
   * @param isOnDuty whether this node tells of what is in the database
   */
  Webhook(URI address, String secret, Duration timeout, Duration pause, BooleanSupplier isOnDuty) {
    this.address = address;
    this.secret = secret.getBytes(StandardCharsets.UTF_8);
    this.exchange = new BoundedHttpClient(timeout, MOST_BYTES);
    this.pause = pause;
    this.isOnDuty = isOnDuty;
  }

  /**
   * Starts the one that the settings name.
   *
   * @param settings reads a setting by its name
   * @param hub has the events
   * @param isOnDuty whether this node tells of what is in the database
   * @param isOpen whether to go on
   */
  public static void start(
      UnaryOperator<String> settings,
      EventHub hub,
      BooleanSupplier isOnDuty,
      BooleanSupplier isOpen) {
    String url = settings.apply(ControlSettings.NOTIFY_URL).strip();
    String secret = settings.apply(ControlSettings.NOTIFY_SECRET);
    if (url.isEmpty()) {
      return;
    }
    if (secret.isBlank()) {
      throw new IllegalArgumentException(
          "weir.notify.url needs weir.notify.secret, which its requests are signed with");
    }
    new Webhook(address(url), secret, TIMEOUT, Duration.ofSeconds(1), isOnDuty).start(hub, isOpen);
  }

  private static URI address(String url) {
    try {
      URI address = URI.create(url);
      if (address.getHost() != null
          && List.of("http", "https").contains(String.valueOf(address.getScheme()))) {
        return address;
      }
    } catch (IllegalArgumentException malformed) {
      // told below
    }
    throw new IllegalArgumentException("weir.notify.url must be an address of http or https");
  }

  void start(EventHub hub, BooleanSupplier isOpen) {
    hub.listen(this::heard);
    Thread thread = new Thread(() -> run(hub, isOpen), "weir-notify");
    thread.setDaemon(true);
    thread.start();
  }

  private void heard(ControlEvent event) {
    boolean isOurs = event.type().equals(ControlEvent.STORE_AWAY) || isOnDuty.getAsBoolean();
    if (isOurs && isWorthIt(event) && !waiting.offer(event)) {
      LOG.log(Level.WARNING, "weir.notify.url isn't told of an event: too many wait");
    }
  }

  /** Whether an administrator has to do something. */
  static boolean isWorthIt(ControlEvent event) {
    Map<String, Object> data = event.data();
    boolean isNew = "added".equals(data.get("what"));
    JsonNode row = data.get("row") instanceof JsonNode node ? node : null;
    return switch (event.type()) {
      case ControlEvent.STORE_AWAY -> true;
      case ControlEvent.PROBLEM -> Boolean.FALSE.equals(data.get("isWarning"));
      case "tier_upgrade_requests" -> isNew;
      case "anomalies" -> isNew && row != null && !"ALLOW".equals(row.path("action").asText());
      default -> false;
    };
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

  /** Goes on whatever is thrown, also by a logger: later events must be delivered. */
  private void runOnce(EventHub hub) throws InterruptedException {
    try {
      hub.look();
      ControlEvent next = waiting.poll(LOOK.toMillis(), TimeUnit.MILLISECONDS);
      if (next != null) {
        tell(next);
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

  private void tell(ControlEvent event) throws InterruptedException {
    byte[] body = event.json();
    String trouble = "";
    for (int left = TRIES; left > 0; left--) {
      trouble = send(body);
      if (trouble.isEmpty()) {
        return;
      }
      if (left > 1) {
        Thread.sleep(left == TRIES ? pause.toMillis() : 5 * pause.toMillis());
      }
    }
    LOG.log(Level.WARNING, "weir.notify.url couldn't be told of an event: " + trouble);
  }

  /** Tries once; what went wrong, or nothing. */
  private String send(byte[] body) throws InterruptedException {
    long now = Instant.now().getEpochSecond();
    HttpRequest request =
        HttpRequest.newBuilder(address)
            .header("Content-Type", "application/json")
            .header("X-Weir-Signature", "t=" + now + ",v1=" + signature(now, body))
            .POST(HttpRequest.BodyPublishers.ofByteArray(body))
            .build();
    try {
      int status = exchange.send(request).status(); // with its head the event has arrived
      return status < FIRST_ERROR ? "" : "it answers " + status;
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
