package org.chagres.transport.verbs;

import java.util.ArrayList;
import java.util.List;
import org.chagres.verbs.CompletionStatus;

/** What may have made a request fail, the likeliest first: by its status, and by what is known of both ends. */
final class Causes {
    private static final String REPORT = "this should not happen; please report it with this message";
    private static final String VERSIONS = "run the same version of Chagres on all ranks";
    private static final String CLOSED = "keep buffers open until all operations that use them are over";

    private Causes() {
    }

    static List<Cause> of(final RequestFailure failure) {
        return switch (failure.completion().status()) {
            case RETRY_EXC_ERR, RESP_TIMEOUT_ERR -> Unanswered.causes(failure);
            case RNR_RETRY_EXC_ERR -> List.of(
                    new Cause("the peer's receive queue was empty although it had granted credits", REPORT),
                    new Cause(
                            "the peer's device is overloaded or its process stopped while receive requests were being posted",
                            "look whether " + failure.there().who() + " was suspended, or short of CPU"));
            case REM_ACCESS_ERR -> List.of(
                    new Cause("the peer closed the region that was written to, so that its key is stale", CLOSED),
                    new Cause("the address lies outside the peer's region, or the region does not allow remote writes",
                            REPORT),
                    new Cause("the ranks disagree on the form of tokens", VERSIONS));
            case REM_INV_REQ_ERR -> List.of(
                    new Cause(
                            "the peer's queue pair does not allow the operation, or the message is longer than its port takes",
                            VERSIONS),
                    new Cause(
                            "the ends have different MTUs: " + failure.here().port() + " "
                                    + failure.here().activeMtu().bytes() + ", "
                                    + failure.there().port() + " " + failure.there().activeMtu().bytes(),
                            "give both network devices the same MTU"));
            case REM_OP_ERR, REM_ABORT_ERR, LOC_ACCESS_ERR -> List.of(
                    new Cause("the peer's own request or memory failed first",
                            "look at the first error that " + failure.there().who() + " reports"),
                    new Cause("the peer's memory was unmapped while registered", CLOSED));
            case LOC_PROT_ERR -> List.of(
                    new Cause("the local memory is not registered any more: its region was closed", CLOSED),
                    new Cause("address or length outside the local region, or a region of another protection domain",
                            REPORT));
            case LOC_LEN_ERR -> List.of(
                    new Cause("a message longer than the port's maximum, or than the receive request", VERSIONS),
                    new Cause("a device that reports a larger maximum than it takes",
                            "look for a newer firmware or driver of " + failure.here().port()));
            case LOC_QP_OP_ERR, BAD_RESP_ERR, MW_BIND_ERR -> List.of(
                    new Cause("a malformed request, or an answer that does not belong to it", REPORT),
                    new Cause("a damaged driver or device",
                            "look at the kernel's logs of " + failure.here().who() + " and " + failure.there().who()));
            case WR_FLUSH_ERR -> List.of(
                    new Cause("an earlier request of this queue pair failed",
                            "look at the first failure with another status; this one only follows it"),
                    new Cause("the queue pair was closed, or moved to the error state, while the request waited",
                            "close a communicator only when its"
                                    + " operations are over, on all ranks"));
            case FATAL_ERR -> List.of(
                    new Cause("the device or its driver broke",
                            "look at the kernel's log of " + failure.here().who() + ", and restart the job; if it"
                                    + " comes again, take " + failure.here().port() + " out with CHAGRES_IB_HCA=^="
                                    + failure.here().port()));
            case SUCCESS, LOC_EEC_OP_ERR, LOC_RDD_VIOL_ERR, REM_INV_RD_REQ_ERR, INV_EECN_ERR, INV_EEC_STATE_ERR,
                    GENERAL_ERR, TM_ERR, TM_RNDV_INCOMPLETE,
                    UNKNOWN ->
                general(failure);
        };
    }

    private static List<Cause> general(final RequestFailure failure) {
        final List<Cause> causes = new ArrayList<>();
        final CompletionStatus status = failure.completion().status();
        status.causes()
                .forEach(cause -> causes.add(
                        new Cause(cause, "the vendor error 0x" + Integer.toHexString(failure.completion().vendorError())
                                + " in the device's documentation, and the kernel's log, tell more")));
        return causes.isEmpty() ? List.of(new Cause("none is known", REPORT)) : causes;
    }
}
