package io.weir.spring.moving.after;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.user;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;

import io.weir.spring.moving.before.BeforeApplication;
import io.weir.spring.test.AutoConfigureFakeTicker;
import io.weir.testkit.FakeTicker;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.config.YamlPropertiesFactoryBean;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.context.annotation.Import;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Moves the application of docs/moving.md, whose Java is code of these packages, word for word, and
 * whose settings it reads: plans admit what they admitted.
 */
@WebMvcTest
@Import({AreaController.class, PricingPlans.class, MovedApplicationTest.Hello.class})
@AutoConfigureFakeTicker
class MovedApplicationTest {
  private static final Path PAGE = Path.of("../../../docs/moving.md");
  private static final Path SOURCES = Path.of("src/test/java/io/weir/spring/moving");
  private static final int TRIES = 120;

  @Autowired MockMvc after;
  @Autowired FakeTicker ticker;

  /** Finds its beans by the imports of the test. */
  @SpringBootApplication(scanBasePackages = "none")
  static class Moved {}

  /** An endpoint that settings limit by its address. */
  @RestController
  static class Hello {
    @GetMapping("/api/hello")
    String hello() {
      return "hello";
    }
  }

  private static List<String> blocks(String from, String to, String language) {
    try {
      String page = Files.readString(PAGE);
      String part = page.substring(page.indexOf(from), page.indexOf(to));
      return Pattern.compile("(?ms)^```" + language + "\n(.*?)^```$")
          .matcher(part)
          .results()
          .map(each -> each.group(1))
          .toList();
    } catch (IOException missing) {
      throw new java.io.UncheckedIOException(missing);
    }
  }

  /** The second block of YAML: the first is that of the other library. */
  @DynamicPropertySource
  static void settingsOfThePage(DynamicPropertyRegistry registry) {
    String yaml = blocks("## bucket4j-spring-boot-starter", "## Resilience4j", "yaml").get(1);
    YamlPropertiesFactoryBean read = new YamlPropertiesFactoryBean();
    read.setResources(new ByteArrayResource(yaml.getBytes(StandardCharsets.UTF_8)));
    Properties settings = Objects.requireNonNull(read.getObject());
    settings.forEach((name, value) -> registry.add((String) name, () -> value));
  }

  /** Leaves out comments, the package and white space, which the formatter may lay otherwise. */
  private static String tight(String java) {
    return java.replaceAll("/\\*(?s:.*?)\\*/|(?m)^package .*;$|\\s", "");
  }

  @Test
  void theJavaOfThePageIsInThesePackages() throws IOException {
    List<String> files =
        List.of(
            "before/PricingPlans.java",
            "before/LimitInterceptor.java",
            "after/AreaController.java",
            "after/PricingPlans.java");
    List<String> blocks =
        blocks("### A whole application", "## bucket4j-spring-boot-starter", "java");
    assertEquals(files.size(), blocks.size());
    for (int i = 0; i < files.size(); i++) {
      String source = Files.readString(SOURCES.resolve(files.get(i)));
      assertEquals(tight(source), tight(blocks.get(i)), files.get(i));
    }
  }

  @Test
  void eachPlanAdmitsWhatItAdmitted() throws Exception {
    MockMvc before = BeforeApplication.start();
    for (String key : List.of("PX001", "BX001", "FX001", "PX002")) {
      int admitted = admitted(before, key, TRIES);
      assertEquals(key.startsWith("P") ? 100 : key.startsWith("B") ? 40 : 20, admitted);
      assertEquals(admitted, admitted(after, key, TRIES), key);
    }
    ticker.advance(Duration.ofMinutes(30));
    assertEquals(50, admitted(after, "PX001", TRIES));
    assertEquals(10, admitted(after, "FX001", TRIES));
    assertEquals(400, status(before, get("/area")));
    assertEquals(200, status(after, get("/area?length=2&width=3").with(user("any"))));
  }

  private static int admitted(MockMvc application, String key, int tries) throws Exception {
    int admitted = 0;
    for (int i = 0; i < tries; i++) {
      var request = get("/area?length=2&width=3").header("X-Api-Key", key).with(user("any"));
      int status = status(application, request);
      assertEquals(status == 200 ? 200 : 429, status);
      admitted += status == 200 ? 1 : 0;
    }
    return admitted;
  }

  private static int status(
      MockMvc application, org.springframework.test.web.servlet.RequestBuilder request)
      throws Exception {
    return application.perform(request).andReturn().getResponse().getStatus();
  }

  @Test
  void theSettingsAdmitWhatTheOtherLibrarysDo() throws Exception {
    for (boolean isAdmitted : List.of(true, false)) {
      for (int i = 0; i < 20; i++) {
        int status = status(after, get("/api/hello").with(user("any")));
        assertEquals(isAdmitted ? 200 : 429, status);
      }
    }
    ticker.advance(Duration.ofSeconds(59));
    assertEquals(429, status(after, get("/api/hello").with(user("any"))));
    ticker.advance(Duration.ofSeconds(1));
    assertEquals(200, status(after, get("/api/hello").with(user("any"))));
  }
}
