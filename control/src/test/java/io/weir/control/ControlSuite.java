package io.weir.control;

/** All tests of the API, for each server that runs it. */
abstract class ControlSuite extends AppPerTest
    implements DecideTests,
        BodyTests,
        AccessTests,
        ForwardTests,
        OpenApiTests,
        AdminTests,
        UserTests,
        CallerTests,
        DashboardTests,
        EventTests {}
