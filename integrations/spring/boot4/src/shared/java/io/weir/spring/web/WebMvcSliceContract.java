package io.weir.spring.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.asyncDispatch;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;

import io.weir.testkit.FakeTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.security.test.context.support.WithMockUser;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.MvcResult;
import org.springframework.test.web.servlet.RequestBuilder;

/** Promises of tests with {@code MockMvc}, which limit as the application does. */
abstract class WebMvcSliceContract {
  @Autowired private MockMvc mvc;
  @Autowired private FakeTicker ticker;

  private MockHttpServletResponse answer(RequestBuilder request) throws Exception {
    MvcResult result = mvc.perform(request).andReturn();
    return result.getRequest().isAsyncStarted()
        ? mvc.perform(asyncDispatch(result)).andReturn().getResponse()
        : result.getResponse();
  }

  private List<Integer> statuses(int times, String path, String address) throws Exception {
    List<Integer> statuses = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      statuses.add(answer(get(path).header("X-Forwarded-For", address)).getStatus());
    }
    return statuses;
  }

  @Test
  void limitsByAddressUntilTheWindowHasPassed() throws Exception {
    assertEquals(List.of(200, 200, 200, 429), statuses(4, "/ip", "203.0.113.1"));
    ticker.advance(Duration.ofMinutes(2));
    assertEquals(List.of(200), statuses(1, "/ip", "203.0.113.1"));
  }

  @Test
  void writesFieldsAndDocument() throws Exception {
    MockHttpServletResponse admitted =
        answer(get("/items/a/parts/1").header("X-Forwarded-For", "203.0.113.2"));
    assertEquals("2", admitted.getHeader("X-RateLimit-Remaining"));
    statuses(3, "/ip", "203.0.113.2");
    MockHttpServletResponse refused = answer(get("/ip").header("X-Forwarded-For", "203.0.113.2"));
    assertEquals(429, refused.getStatus());
    assertEquals("0", refused.getHeader("X-RateLimit-Remaining"));
    assertTrue(refused.getContentAsString().contains("\"status\":429"));
    MockHttpServletResponse free = answer(get("/free").header("X-Forwarded-For", "203.0.113.2"));
    assertFalse(free.containsHeader("X-RateLimit-Remaining"));
  }

  @Test
  void limitsAsynchronousHandlersAndTheirCalls() throws Exception {
    assertEquals(List.of(200, 200, 200, 429), statuses(4, "/callable", "203.0.113.3"));
    assertEquals(List.of(200, 200, 200, 429), statuses(4, "/deferred", "203.0.113.3"));
    assertEquals(List.of(200, 200, 429), statuses(3, "/calls/callable", "203.0.113.3"));
  }

  @Test
  void givesSuccessesBackAndCountsFailures() throws Exception {
    assertEquals(List.of(200, 200, 200, 200), statuses(4, "/failures", "203.0.113.4"));
    assertEquals(List.of(422, 422, 422, 429), statuses(4, "/failures?status=422", "203.0.113.4"));
    assertEquals(
        List.of(422, 422, 422, 429), statuses(4, "/failures-async?status=422", "203.0.113.4"));
  }

  @Test
  @WithMockUser("mock-ann")
  void limitsMockUsers() throws Exception {
    assertEquals(List.of(200, 200, 200), statuses(3, "/user", "203.0.113.5"));
    assertEquals(List.of(429), statuses(1, "/user", "203.0.113.6"));
  }

  @Test
  @WithMockUser("mock-ben")
  void tellsMockUsersApart() throws Exception {
    assertEquals(List.of(200, 200, 200, 429), statuses(4, "/user", "203.0.113.5"));
  }
}
