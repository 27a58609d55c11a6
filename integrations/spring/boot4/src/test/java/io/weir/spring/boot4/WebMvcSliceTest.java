package io.weir.spring.boot4;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import io.weir.Ticker;
import io.weir.Weir;
import io.weir.adapter.Adapter;
import io.weir.annotation.RateLimit;
import io.weir.spring.test.AutoConfigureFakeTicker;
import io.weir.testkit.FakeTicker;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.context.annotation.Import;
import org.springframework.security.test.context.support.WithMockUser;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** A test of the controllers alone limits as the application does. */
@WebMvcTest(
    controllers = WebMvcSliceTest.Searches.class,
    properties = {"weir.store=spring", "weir.rules=datasource:"})
@AutoConfigureFakeTicker
class WebMvcSliceTest {
  @Autowired private FakeTicker ticker;
  @Autowired private Weir weir;
  @Autowired private Adapter adapter;
  @Autowired private Ticker any;
  @Autowired private MockMvc mvc;

  @SpringBootConfiguration
  @Import(Searches.class)
  static class Application {}

  @RestController
  static class Searches {
    @RateLimit(limit = 1, window = 60)
    @GetMapping("/search")
    public String search() {
      return "found";
    }
  }

  @Test
  @WithMockUser
  void limitsInTheTimeOfTheTest() throws Exception {
    assertSame(weir, adapter.weir());
    assertEquals("inprocess:", weir.store());
    assertSame(ticker, any);
    mvc.perform(get("/search")).andExpect(status().isOk());
    mvc.perform(get("/search")).andExpect(status().isTooManyRequests());
    ticker.advance(Duration.ofMinutes(2));
    mvc.perform(get("/search")).andExpect(status().isOk());
  }
}
