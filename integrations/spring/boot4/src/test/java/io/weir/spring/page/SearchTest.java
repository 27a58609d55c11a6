package io.weir.spring.page;

import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import io.weir.spring.test.AutoConfigureFakeTicker;
import io.weir.testkit.FakeTicker;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.context.annotation.Import;
import org.springframework.test.web.servlet.MockMvc;

/** The page's test of its first controller. */
@Import(Index.class)
@WebMvcTest(SearchController.class)
@AutoConfigureFakeTicker
class SearchTest {
  @Autowired MockMvc mvc;
  @Autowired FakeTicker ticker;

  @Test
  void threePerTenSeconds() throws Exception {
    for (int i = 0; i < 3; i++) {
      mvc.perform(get("/search?q=tea")).andExpect(status().isOk());
    }
    mvc.perform(get("/search?q=tea")).andExpect(status().isTooManyRequests());
    ticker.advance(Duration.ofSeconds(20));
    mvc.perform(get("/search?q=tea")).andExpect(status().isOk());
  }
}
