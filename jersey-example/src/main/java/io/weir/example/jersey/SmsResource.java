package io.weir.example.jersey;

import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import org.jspecify.annotations.Nullable;

/** Has no limit of its own: the service that it calls has one. */
@Path("/api/sms")
@Produces(MediaType.APPLICATION_JSON)
public class SmsResource {
  private final SmsService service = new SmsService();

  @POST
  public String send(@QueryParam("phone") @Nullable String phone) {
    if (phone == null || phone.isBlank()) {
      throw JsonAnswers.badRequest("the parameter phone is missing");
    }
    service.send(phone);
    return JsonAnswers.from("sms");
  }
}
