package io.weir.spring.web;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.spi.KeyResolver;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Sends values several times that Spring MVC joins for the argument by which a bean counts. */
@EnabledIf("io.weir.spring.BootOfToday#isOneOfTwo")
class MvcRepeatedParametersTest {
  private static MvcServer server;

  @SpringBootConfiguration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @Import({OpenSecurity.class, Phones.class})
  static class App {
    @Bean
    Messages messages() {
      return new Messages();
    }

    /** Folds the spellings of a number. */
    @Bean
    KeyResolver number() {
      return request -> request.parameter("phone").map(each -> each.replace(" ", ""));
    }
  }

  static class Messages {
    @RateLimit(limit = 2, window = 3600, by = By.KEY, key = "param:phone", name = "send")
    public void send(String phone) {}

    @RateLimit(limit = 2, window = 3600, by = By.KEY, key = "number", name = "send-folded")
    public void sendFolded(String phone) {}
  }

  /** A form that Spring MVC binds. */
  public static class Form {
    private String phone = "";

    public String getPhone() {
      return phone;
    }

    public void setPhone(String phone) {
      this.phone = phone;
    }
  }

  @RestController
  static class Phones {
    private final Messages messages;

    Phones(Messages messages) {
      this.messages = messages;
    }

    @RequestMapping("/param")
    String param(@RequestParam("phone") String phone) {
      messages.send(phone);
      return phone;
    }

    @RequestMapping("/folded")
    String folded(@RequestParam("phone") String phone) {
      messages.sendFolded(phone);
      return phone;
    }

    @RequestMapping("/form")
    String form(@ModelAttribute Form form) {
      messages.send(form.getPhone());
      return form.getPhone();
    }

    @RequestMapping("/header")
    String header(@RequestHeader("X-Phone") String phone) {
      messages.send(phone);
      return phone;
    }
  }

  @BeforeAll
  static void start() {
    server = MvcServer.start(List.of(App.class));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static int post(String path, String form) throws Exception {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString(form))
                .build(),
            HttpResponse.BodyHandlers.ofString())
        .statusCode();
  }

  @Test
  void aRepeatedParameterIsNoOtherKey() throws Exception {
    assertEquals(List.of(200, 200, 429), server.statuses(3, "/param?phone=1"));
    assertEquals(400, server.get("/param?phone=1&phone=1").status());
    assertEquals(400, server.get("/param?phone=1&phone=2&phone=3").status());
    assertEquals(400, server.get("/param?phone=&phone=1").status());
    assertEquals(200, server.get("/param?phone=2").status());
  }

  @Test
  void neitherInABody() throws Exception {
    assertEquals(200, post("/param", "phone=31"));
    assertEquals(400, post("/param", "phone=31&phone=31"));
    assertEquals(400, post("/param?phone=31", "phone=31"));
    assertEquals(400, post("/form", "phone=31&phone=31"));
  }

  @Test
  void neitherThroughAResolver() throws Exception {
    assertEquals(List.of(200, 200, 429), server.statuses(3, "/folded?phone=41"));
    assertEquals(400, server.get("/folded?phone=41&phone=41").status());
  }

  @Test
  void neitherByLinesOfAHeaderField() throws Exception {
    assertEquals(200, server.get("/header", "X-Phone", "51").status());
    assertEquals(400, server.get("/header", "X-Phone", "51", "X-Phone", "51").status());
  }

  @Test
  void aTextWithCommasIsAKeyAsAnyOther() throws Exception {
    assertEquals(List.of(200, 200, 429), server.statuses(3, "/param?phone=61,62&other=1&other=2"));
  }
}
