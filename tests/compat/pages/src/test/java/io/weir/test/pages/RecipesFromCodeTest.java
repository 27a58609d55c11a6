package io.weir.test.pages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.EndpointPolicy;
import io.weir.Policy;
import io.weir.RateLimitExceededException;
import io.weir.RateLimiter;
import io.weir.Weir;
import io.weir.compat.redis.Await;
import io.weir.testkit.FakeTicker;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the recipes of docs/recipes.md that take permits by code, on time of the test's own. */
class RecipesFromCodeTest {
  private final MarkdownPage page = MarkdownPage.read("recipes.md");
  private final FakeTicker ticker = new FakeTicker();
  private final RateLimiter limiter = RateLimiter.builder().ticker(ticker).build();
  private final ScheduledExecutorService later = Executors.newSingleThreadScheduledExecutor();
  private JavaSnippets snippets;

  @BeforeEach
  void compile(@TempDir Path folder) throws Exception {
    snippets = new JavaSnippets(folder);
  }

  @AfterEach
  void stop() throws Exception {
    later.shutdownNow();
    limiter.close();
    snippets.close();
  }

  private Class<?> type(String heading) throws Exception {
    return snippets.load(page.blocks(heading, "java").get(0));
  }

  /** By pairs of account and address alone, one address could try any number of accounts. */
  @Test
  void theLoginOfABeanLimitsAnAddressWhicheverAccountsItTries() throws Exception {
    Class<?> type = snippets.load(page.blocks("Login", "java").get(1));
    try (Weir weir = Weir.builder().onlyGivenSettings().build()) {
      weir.check(type);
      Policy ofAddress =
          weir.policies().stream()
              .map(EndpointPolicy::policy)
              .filter(each -> each.name().equals("SignIn.signIn.ip-10m"))
              .findFirst()
              .orElseThrow(() -> new AssertionError(weir.table()));
      assertEquals(50, ofAddress.limit());
    }
  }

  @Test
  void webhooksThatComeTooSoonAreSentLater() throws Exception {
    Class<?> type = type("Webhooks");
    Object webhooks =
        type.getConstructor(RateLimiter.class, ScheduledExecutorService.class)
            .newInstance(limiter, later);
    Method send = type.getMethod("send", URI.class, Runnable.class);
    AtomicInteger posted = new AtomicInteger();
    Runnable post = posted::incrementAndGet;
    for (int i = 0; i < 12; i++) {
      send.invoke(webhooks, URI.create("https://receiver.example.org/in"), post);
    }
    assertEquals(10, posted.get());
    send.invoke(webhooks, URI.create("https://another.example.org/in"), post);
    assertEquals(11, posted.get());
    ticker.advance(Duration.ofSeconds(1));
    Await.until("the others are sent", () -> posted.get() == 13);
  }

  @Test
  void messagesAreBoundByRecipientAndRefundedIfTheProviderRefuses() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    Predicate<String> provider = phone -> asked.incrementAndGet() > 5;
    Class<?> type = type("E-mails and SMS");
    Object messages =
        type.getConstructor(RateLimiter.class, Predicate.class).newInstance(limiter, provider);
    Method send = type.getMethod("send", String.class, String.class);
    for (int i = 0; i < 8; i++) { // the first five are refunded
      send.invoke(messages, "alice", "+4915112345678");
    }
    Throwable refused =
        assertThrows(
                InvocationTargetException.class,
                () -> send.invoke(messages, "bob", "+4915112345678"))
            .getCause();
    assertInstanceOf(RateLimitExceededException.class, refused);
    send.invoke(messages, "bob", "+4915187654321");
  }

  @Test
  void callsToAnotherApiWaitForTheirTurnOrGiveUp() throws Exception {
    Class<?> type = type("Calls to another API");
    Method call = type.getMethod("call", Callable.class, Duration.class);
    Callable<String> request = () -> "found";
    Object frozen = type.getConstructor(RateLimiter.class).newInstance(limiter);
    assertEquals("found", call.invoke(frozen, request, Duration.ZERO));
    Throwable busy =
        assertThrows(
                InvocationTargetException.class, () -> call.invoke(frozen, request, Duration.ZERO))
            .getCause();
    assertInstanceOf(TimeoutException.class, busy);
    try (RateLimiter real = RateLimiter.inProcess()) {
      Object geocoder = type.getConstructor(RateLimiter.class).newInstance(real);
      for (int i = 0; i < 3; i++) {
        assertEquals("found", call.invoke(geocoder, request, Duration.ofMinutes(2)));
      }
    }
  }
}
