package io.weir.test.pages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.InvalidPolicyException;
import io.weir.InvalidSettingException;
import io.weir.Weir;
import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.compat.redis.RedisServer;
import io.weir.jaxrs.RateLimitFeature;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.glassfish.jersey.server.ResourceConfig;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the settings of docs/regions.md: two regions on Jersey and Tomcat, each with its Redis. */
class RegionsPageTest {
  private static final int LIMIT = 7;
  private static final int CALLERS = 6;

  @Path("hello")
  public static class Hello {
    @GET
    @RateLimit(
        limit = LIMIT,
        window = 1,
        unit = ChronoUnit.HOURS,
        by = {By.KEY, By.IP},
        banAfter = 20,
        key = "header:X-Caller",
        name = "hello")
    public String hello() {
      return "hello";
    }
  }

  private final HttpClient client = HttpClient.newHttpClient();

  /** Returns the lines of the page for the region {@code eu}, or those of {@code us}. */
  private static Map<String, String> settings(String region, String store) throws IOException {
    CodeBlock block = MarkdownPage.read("regions.md").blocks("To start", "properties").get(1);
    Map<String, String> settings = new HashMap<>(PageSettings.read(block));
    assertEquals("shares", settings.get("weir.regions.mode"));
    assertEquals("eu", settings.put("weir.region", region));
    settings.put("weir.store", store);
    settings.put("weir.store.timeout", "1s");
    return settings;
  }

  private static Weir weir(Map<String, String> settings) {
    return Weir.builder().onlyGivenSettings().settings(settings).build();
  }

  @Test
  void twoRegionsBySettingsAloneAdmitTheLimitTogetherAlsoWithoutAStore(
      @TempDir java.nio.file.Path folder) throws Exception {
    try (RedisServer first = RedisServer.start();
        RedisServer second = RedisServer.start();
        Weir eu = weir(settings("eu", first.url()));
        Weir us = weir(settings("us", second.url()));
        PageApplication here = application(folder.resolve("eu"), eu);
        PageApplication there = application(folder.resolve("us"), us)) {
      List<String> regions = List.of(here.address(), there.address());
      assertTogether(regions, "met");
      assertBannedUnderThePart(regions.get(0), "met0");
      second.pause();
      assertTogether(regions, "without");
      second.resume();
    }
  }

  private static PageApplication application(java.nio.file.Path folder, Weir weir)
      throws Exception {
    return new PageApplication(
        folder,
        new ResourceConfig(Hello.class).register(new RateLimitFeature(weir)),
        context -> {});
  }

  private void assertTogether(List<String> regions, String callers) throws Exception {
    for (int i = 0; i < CALLERS; i++) {
      int admitted = 0;
      for (String region : regions) {
        HttpResponse<String> last = get(region, callers + i);
        String part = last.headers().firstValue("X-RateLimit-Limit").orElse("");
        int ofRegion = 0;
        while (last.statusCode() == 200) {
          ofRegion++;
          last = get(region, callers + i);
        }
        assertEquals(429, last.statusCode());
        assertEquals(part, Integer.toString(ofRegion), "the part is what callers are told");
        assertTrue(last.body().contains("Policy hello admits " + part + " requests"), last.body());
        admitted += ofRegion;
      }
      assertEquals(LIMIT, admitted, callers + i);
    }
  }

  /** A ban tells the part as well. */
  private void assertBannedUnderThePart(String region, String caller) throws Exception {
    String part = get(region, caller).headers().firstValue("X-RateLimit-Limit").orElse("");
    HttpResponse<String> last;
    do {
      last = get(region, caller);
      assertEquals(429, last.statusCode());
    } while (!last.body().contains("banned"));
    assertEquals(part, last.headers().firstValue("X-RateLimit-Limit").orElse(""));
  }

  private HttpResponse<String> get(String region, String caller) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(region + "/hello")).header("X-Caller", caller).build();
    return client.send(request, BodyHandlers.ofString());
  }

  @Test
  void whatDoesntFitTogetherStopsTheStart() throws IOException {
    Map<String, String> settings = settings("eu", "inprocess:");
    settings.put("weir.regions.shares", "eu@60,us@50");
    assertRefused("weir.regions.shares", settings);
    settings.put("weir.regions.shares", "eu@60,us@40");
    settings.put("weir.region.ap.store", "redis://127.0.0.1");
    assertRefused("weir.region.ap.store", settings);
    settings.remove("weir.region.ap.store");
    settings.put("weir.policy.one.url", "/*");
    settings.put("weir.policy.one.limit", "2");
    settings.put("weir.policy.one.window", "1m");
    String message =
        Assertions.assertThrows(InvalidPolicyException.class, () -> weir(settings)).getMessage();
    assertTrue(message.contains("weir.policy.one.limit = 2: must be at least 3"), message);
    settings.put("weir.policy.one.scope", "region");
    weir(settings).close();
  }

  private static void assertRefused(String name, Map<String, String> settings) {
    String message =
        Assertions.assertThrows(InvalidSettingException.class, () -> weir(settings)).getMessage();
    assertTrue(message.startsWith(name), message);
    assertEquals(1, Stream.of(message.split("\n")).count(), message);
  }
}
