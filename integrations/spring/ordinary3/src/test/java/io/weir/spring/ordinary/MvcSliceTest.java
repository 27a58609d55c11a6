package io.weir.spring.ordinary;

import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.autoconfigure.web.servlet.WebMvcTest;
import org.springframework.test.web.servlet.MockMvc;

/** A test of controllers alone, with Weir's modules and without. */
@WebMvcTest(Orders.class)
class MvcSliceTest {
  @Autowired private MockMvc mvc;

  @Test
  void limitsAsTheApplicationDoes() throws Exception {
    mvc.perform(get("/latest")).andExpect(status().isOk());
    mvc.perform(get("/latest")).andExpect(status().isTooManyRequests());
  }
}
