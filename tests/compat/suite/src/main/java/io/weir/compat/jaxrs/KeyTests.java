package io.weir.compat.jaxrs;

import static io.weir.annotation.By.ENDPOINT;
import static io.weir.annotation.By.IP;
import static io.weir.annotation.By.KEY;
import static io.weir.annotation.By.USER;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.annotation.RateLimit;
import io.weir.compat.jaxrs.server.Api;
import io.weir.compat.jaxrs.server.RawClient;
import io.weir.compat.jaxrs.server.SignInFilter;
import io.weir.spi.RequestInfo;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests the annotation's members that identify callers. */
interface KeyTests extends Serving {
  @Path("/")
  class Keys {
    @GET
    @Path("user")
    @RateLimit(limit = 1, window = 60, by = USER)
    public String user() {
      return "";
    }

    @GET
    @Path("ip")
    @RateLimit(limit = 1, window = 60)
    public String ip() {
      return "";
    }

    @GET
    @Path("endpoint")
    @RateLimit(limit = 1, window = 60, by = ENDPOINT)
    public String endpoint() {
      return "";
    }

    @GET
    @Path("header")
    @RateLimit(limit = 1, window = 60, by = KEY, key = "header:X-Api-Key")
    public String header() {
      return "";
    }

    @GET
    @Path("query")
    @RateLimit(limit = 1, window = 60, by = KEY, key = "query:q")
    public String query() {
      return "";
    }

    @GET
    @Path("path/{tenant}")
    @RateLimit(limit = 1, window = 60, by = KEY, key = "path:tenant")
    public String path(@PathParam("tenant") String tenant) {
      return tenant;
    }

    @GET
    @Path("cookie")
    @RateLimit(limit = 1, window = 60, by = KEY, key = "cookie:sid")
    public String cookie() {
      return "";
    }

    @GET
    @Path("resolver")
    @RateLimit(limit = 1, window = 60, by = KEY, key = "plan")
    public String resolver() {
      return "";
    }

    @GET
    @Path("two-keys")
    @RateLimit(
        limit = 1,
        window = 60,
        by = KEY,
        key = {"header:A", "header:B"})
    public String twoKeys() {
      return "";
    }

    @GET
    @Path("composite")
    @RateLimit(
        limit = 1,
        window = 60,
        by = {USER, IP})
    public String composite() {
      return "";
    }
  }

  private Api keys() throws Exception {
    return serving(Keys.class, SignInFilter.class)
        .behindProxy()
        .weir(
            weir ->
                weir.keyResolver("plan", request -> request.headers("Plan").stream().findFirst()))
        .start();
  }

  @Path("/")
  class Clients {
    @GET
    @Path("client")
    @RateLimit(limit = 1, window = 60, by = KEY, key = "client")
    public String client() {
      return "";
    }
  }

  @Test
  default void theApplicationReadsTheAddressThatCounts() throws Exception {
    Api api =
        serving(Clients.class)
            .behindProxy()
            .weir(weir -> weir.keyResolver("client", RequestInfo::address))
            .start();
    assertEquals(1, api.admitted("/client", "X-Forwarded-For", "2001:db8::1"));
    assertEquals(0, api.admitted("/client", "X-Forwarded-For", "2001:DB8:0::2"));
    assertEquals(1, api.admitted("/client", "X-Forwarded-For", "2001:db8:1::1"));
  }

  @Test
  default void countsByUser() throws Exception {
    Api api = keys();
    assertEquals(1, api.admitted("/user", "User", "alice"));
    assertEquals(1, api.admitted("/user", "User", "bob"));
    assertEquals(0, api.admitted("/user", "User", "alice", "X-Forwarded-For", "192.0.2.1"));
  }

  @Test
  default void countsByAddressWhoeverIsSignedIn() throws Exception {
    Api api = keys();
    assertEquals(1, api.admitted("/ip", "X-Forwarded-For", "192.0.2.1"));
    assertEquals(1, api.admitted("/ip", "X-Forwarded-For", "192.0.2.2"));
    assertEquals(0, api.admitted("/ip", "X-Forwarded-For", "192.0.2.1", "User", "alice"));
  }

  @Test
  default void countsEverybodyTogether() throws Exception {
    Api api = keys();
    assertEquals(1, api.admitted("/endpoint", "X-Forwarded-For", "192.0.2.1"));
    assertEquals(0, api.admitted("/endpoint", "X-Forwarded-For", "192.0.2.2"));
  }

  @Test
  default void countsByHeader() throws Exception {
    Api api = keys();
    assertEquals(1, api.admitted("/header", "X-Api-Key", "a"));
    assertEquals(1, api.admitted("/header", "X-Api-Key", "b"));
    assertEquals(0, api.admitted("/header", "x-api-key", "a", "X-Forwarded-For", "192.0.2.1"));
  }

  /** Follows HTTP even if the container doesn't; otherwise a caller would have several buckets. */
  @Test
  default void blanksAndTabsAroundAHeaderAreNoPartOfIt() throws Exception {
    Api api = keys();
    for (String path : List.of("/header", "/resolver")) {
      String field = path.equals("/header") ? "X-Api-Key:" : "Plan:";
      assertEquals(200, status(api, path, field + "a\tb"));
      for (String spelled : List.of("a\tb", " a\tb", "\ta\tb", "a\tb\t", "\t a\tb \t ", "a\tb ")) {
        assertEquals(429, status(api, path, field + spelled), spelled.replace('\t', '>'));
      }
      assertEquals(200, status(api, path, field + "a b"));
    }
  }

  @Test
  default void ofSeveralLinesOfAHeaderTheFirstCounts() throws Exception {
    Api api = keys();
    assertEquals(200, status(api, "/header", "X-Api-Key:\tfirst\t\r\nX-Api-Key: second"));
    assertEquals(429, status(api, "/header", "X-Api-Key: first\r\nX-Api-Key: third"));
    assertEquals(429, status(api, "/header", "X-Api-Key: first"));
    assertEquals(200, status(api, "/header", "X-Api-Key: second"));
    assertEquals(200, status(api, "/header", "X-Api-Key: first, second"));
    assertEquals(200, status(api, "/header", "X-Api-Key: \t \r\nX-Api-Key: fourth"));
    assertEquals(429, status(api, "/header", "X-Api-Key: \t"), "a blank one counts by address");
  }

  private static int status(Api api, String path, String field) throws IOException {
    return RawClient.send(api.base(), "GET " + path + " HTTP/1.1", field).orElseThrow().status();
  }

  @Test
  default void countsByQueryParameterDecoded() throws Exception {
    Api api = keys();
    assertEquals(1, api.admitted("/query?q=ab"));
    assertEquals(0, api.admitted("/query?q=%61%62"));
    assertEquals(0, api.admitted("/query?x=%20&q=a%62&q=other"));
    assertEquals(1, api.admitted("/query?q=AB"));
  }

  @Test
  default void countsByPathParameterDecoded() throws Exception {
    Api api = keys();
    assertEquals(1, api.admitted("/path/ab"));
    assertEquals(0, api.admitted("/path/%61b"));
    assertEquals(1, api.admitted("/path/ac"));
  }

  @Test
  default void countsByCookie() throws Exception {
    Api api = keys();
    assertEquals(1, api.admitted("/cookie", "Cookie", "other=1; sid=a"));
    assertEquals(1, api.admitted("/cookie", "Cookie", "sid=b"));
    assertEquals(0, api.admitted("/cookie", "Cookie", "sid=a"));
  }

  @Test
  default void countsByWhatAResolverSays() throws Exception {
    Api api = keys();
    assertEquals(1, api.admitted("/resolver", "Plan", "a"));
    assertEquals(1, api.admitted("/resolver", "Plan", "b"));
    assertEquals(0, api.admitted("/resolver", "Plan", "a"));
  }

  @Test
  default void severalKeysFormOne() throws Exception {
    Api api = keys();
    assertEquals(1, api.admitted("/two-keys", "A", "1", "B", "2"));
    assertEquals(1, api.admitted("/two-keys", "A", "1", "B", "3"));
    assertEquals(1, api.admitted("/two-keys", "A", "12", "B", "2"));
    assertEquals(0, api.admitted("/two-keys", "A", "1", "B", "2"));
  }

  @Test
  default void severalKindsFormOneKey() throws Exception {
    Api api = keys();
    assertEquals(1, api.admitted("/composite", "User", "alice"));
    assertEquals(1, api.admitted("/composite", "User", "bob"));
    assertEquals(1, api.admitted("/composite", "User", "alice", "X-Forwarded-For", "192.0.2.1"));
    assertEquals(0, api.admitted("/composite", "User", "alice"));
  }

  @Test
  default void aMissingOrBlankKeyCountsByAddress() throws Exception {
    Api api = keys();
    assertEquals(1, api.admitted("/header", "X-Forwarded-For", "192.0.2.1"));
    assertEquals(0, api.admitted("/header", "X-Forwarded-For", "192.0.2.1", "X-Api-Key", " "));
    assertEquals(1, api.admitted("/header", "X-Forwarded-For", "192.0.2.2"));
    assertEquals(1, api.admitted("/header", "X-Api-Key", "192.0.2.1"));
    assertEquals(1, api.admitted("/user", "X-Forwarded-For", "192.0.2.1"));
    assertEquals(1, api.admitted("/user", "X-Forwarded-For", "192.0.2.2"));
  }

  @Test
  default void anOversizedKeyIsABadRequest() throws Exception {
    Api api =
        serving(Keys.class)
            .weir(weir -> weir.keyResolver("plan", request -> Optional.of("x".repeat(8_193))))
            .start();
    api.get("/resolver").then().statusCode(400).contentType("application/problem+json");
  }
}
