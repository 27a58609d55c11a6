package io.weir.spring.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.weir.compat.redis.Certificate;
import io.weir.seeds.RequiredPrograms;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ConfigurableApplicationContext;

/** A page of {@code https://shop.example}, in a real browser, asks the page's application. */
class CrossOriginBrowserTest {
  /** Sends one request more than the limit, of a content type for which a browser asks first. */
  private static final String PAGE =
      """
      <!doctype html><title>Shop</title><pre id="seen"></pre><script>
      (async () => {
        const seen = [];
        for (let i = 0; i < 4; i++) {
          const answer = await fetch("SEARCH", {headers: {"Content-Type": "application/json"}});
          const fields = ["Retry-After", "RateLimit"].map(name => answer.headers.get(name));
          seen.push([answer.status, ...fields].join(" "));
        }
        document.getElementById("seen").textContent = seen.join("\\n");
      })().catch(e => { document.getElementById("seen").textContent = e.message; });
      </script>
      """;

  private static final Pattern SEEN = Pattern.compile("(?s)<pre id=\"seen\">(.*?)</pre>");

  @TempDir private Path directory;

  @Test
  void aPageSeesTheRefusalAndItsTime() throws Exception {
    Path chromium = RequiredPrograms.assumeFound("chromium", "/usr/bin");
    try (ConfigurableApplicationContext application =
        SpringPageTest.start("weir.rules=jdbc:h2:mem:of-the-browser")) {
      String port = application.getEnvironment().getProperty("local.server.port");
      HttpsServer shop = serve("http://127.0.0.1:" + port + "/search?q=tea");
      try {
        List<String> seen = List.of(read(chromium, shop.getAddress().getPort()).split("\n"));
        assertEquals(4, seen.size(), seen::toString);
        for (String found : seen.subList(0, 3)) {
          assertTrue(found.startsWith("200  "), found); // preflights cost nothing
        }
        Matcher refused = Pattern.compile("429 (\\d+) .*;r=0;.*").matcher(seen.get(3));
        assertTrue(refused.matches(), seen::toString);
        assertTrue(Integer.parseInt(refused.group(1)) > 0, seen::toString);
      } finally {
        shop.stop(0);
      }
    }
  }

  private HttpsServer serve(String search) throws IOException, GeneralSecurityException {
    byte[] page = PAGE.replace("SEARCH", search).getBytes(StandardCharsets.UTF_8);
    HttpsServer shop =
        HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    shop.setHttpsConfigurator(new HttpsConfigurator(tls()));
    shop.createContext(
        "/",
        exchange -> {
          exchange.getResponseHeaders().set("Content-Type", "text/html;charset=UTF-8");
          exchange.sendResponseHeaders(200, page.length);
          exchange.getResponseBody().write(page);
          exchange.close();
        });
    shop.start();
    return shop;
  }

  private SSLContext tls() throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    char[] password = Certificate.PASSWORD.toCharArray();
    try (InputStream file =
        Files.newInputStream(Certificate.make(directory, "dns:shop.example").trustStore())) {
      store.load(file, password);
    }
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, password);
    SSLContext tls = SSLContext.getInstance("TLS");
    tls.init(keys.getKeyManagers(), null, null);
    return tls;
  }

  /** Returns what the page has written once its requests are answered. */
  private String read(Path chromium, int port) throws IOException {
    Process browser =
        new ProcessBuilder(
                chromium.toString(),
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--user-data-dir=" + directory.resolve("profile"),
                "--ignore-certificate-errors",
                "--host-resolver-rules=MAP shop.example:443 127.0.0.1:" + port,
                "--virtual-time-budget=60000",
                "--dump-dom",
                "https://shop.example/")
            .redirectError(Redirect.DISCARD)
            .start();
    String shown = new String(browser.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    Matcher seen = SEEN.matcher(shown);
    assertTrue(seen.find(), shown);
    return seen.group(1);
  }
}
