package io.weir.compat.jaxrs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.restassured.response.Response;
import io.weir.annotation.BanScope;
import io.weir.annotation.RateLimit;
import io.weir.compat.jaxrs.server.Api;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.NotAuthorizedException;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.StreamingOutput;
import java.io.EOFException;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Tests bans: who doesn't wait, or fails too often, gets 429 until the end, and nobody else. */
interface BanTests extends Serving {
  @Path("ban")
  class Guarded {
    @GET
    @Path("impatient")
    @RateLimit(limit = 1, window = 600, name = "impatient", banAfter = 2, banFor = 3600)
    public String impatient() {
      return "";
    }

    @GET
    @Path("measuring")
    @RateLimit(limit = 1, window = 600, name = "measuring", banAfter = 1, shadow = true)
    public String measuring() {
      return "";
    }

    @GET
    @Path("login")
    @RateLimit(
        limit = 1000,
        window = 600,
        name = "login",
        banAfter = 2,
        banOn = "401",
        banScope = BanScope.APPLICATION)
    public String login() {
      throw new NotAuthorizedException("Basic");
    }

    /** Fails while it writes the rest of a response that the caller has read enough of. */
    @GET
    @Path("left")
    @RateLimit(limit = 1000, window = 600, name = "left", banAfter = 2, banOn = "401")
    public jakarta.ws.rs.core.Response left() {
      StreamingOutput body =
          out -> {
            out.write(new byte[70_000]);
            out.flush();
            throw new EOFException("the caller has left");
          };
      return jakarta.ws.rs.core.Response.status(401).entity(body).build();
    }

    @GET
    @Path("free")
    public String free() {
      return "";
    }
  }

  @Test
  default void callersWithTooManyStrikesAreBannedAndNobodyElse() throws Exception {
    Map<String, String> live = new TreeMap<>();
    Api api =
        serving(Guarded.class).behindProxy().weir(parts -> parts.liveSettings(() -> live)).start();
    String impatient = "192.0.2.1";
    String guessing = "192.0.2.2";
    String other = "192.0.2.3";
    assertEquals(200, api.from(impatient, "/ban/impatient").statusCode());
    for (int i = 0; i < 3; i++) {
      assertEquals(429, api.from(impatient, "/ban/impatient").statusCode());
    }
    assertBanned(api.from(impatient, "/ban/impatient"), 3500);
    assertEquals(200, api.from(impatient, "/ban/free").statusCode());
    assertEquals(200, api.from(other, "/ban/impatient").statusCode());
    assertTrue(guess(api, guessing) >= 2);
    assertBanned(api.from(guessing, "/ban/free"), 500);
    assertEquals(200, api.from(other, "/ban/free").statusCode());
    for (int i = 0; i < 3; i++) {
      assertEquals(200, api.from(other, "/ban/measuring").statusCode());
    }
    assertEquals(3, api.weir().bans().size());
    assertTrue(isBannedAfterLeaving(api, "192.0.2.4"));
    live.put("weir.access.allow", impatient + "," + guessing);
    api.weir().refresh();
    assertEquals(200, api.from(impatient, "/ban/impatient").statusCode());
    assertEquals(200, api.from(guessing, "/ban/free").statusCode());
  }

  /** Guesses until it is banned; a strike may be counted after the caller has its response. */
  private static int guess(Api api, String caller) {
    int guesses = 0;
    while (api.from(caller, "/ban/login").statusCode() == 401) {
      guesses++;
      assertTrue(guesses < 1000, "never banned");
    }
    return guesses;
  }

  private static boolean isBannedAfterLeaving(Api api, String caller) {
    int status = 0;
    for (int i = 0; i < 100 && status != 429; i++) {
      try {
        status = api.from(caller, "/ban/left").statusCode();
      } catch (Exception cut) { // the client's, as the response has no end
        status = 0;
      }
    }
    return status == 429;
  }

  private static void assertBanned(Response response, long atLeast) {
    assertEquals(429, response.statusCode());
    assertEquals("Banned", response.jsonPath().getString("error"));
    long wait = Long.parseLong(response.header("Retry-After"));
    assertTrue(wait > atLeast, () -> response.headers().toString());
  }
}
