package io.weir.spring.start;

import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.user;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;

import io.weir.spring.test.AutoConfigureFakeTicker;
import io.weir.testkit.FakeTicker;
import java.time.Duration;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.test.web.servlet.MockMvc;

/** The page's test. */
@WebMvcTest(SearchController.class)
@AutoConfigureFakeTicker
class SearchLimitTest {
  @Autowired MockMvc mvc;
  @Autowired FakeTicker ticker;

  @Test
  void fivePerMinuteForEachUser() throws Exception {
    for (int i = 0; i < 5; i++) {
      Assertions.assertEquals(200, searchAs("alice"));
    }
    Assertions.assertEquals(429, searchAs("alice"));
    Assertions.assertEquals(200, searchAs("bob"));
    ticker.advance(Duration.ofMinutes(2));
    Assertions.assertEquals(200, searchAs("alice"));
  }

  private int searchAs(String name) throws Exception {
    return mvc.perform(get("/search?q=tea").with(user(name))).andReturn().getResponse().getStatus();
  }
}
